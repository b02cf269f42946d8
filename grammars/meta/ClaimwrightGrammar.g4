// The rule language: the safe subset of ANTLR 4 (https://github.com/antlr/antlr4/blob/4.13.2/doc/grammars.md)
// and one addition, the bounded repetition x{m,n}: for ANTLR an action of digits, so that the text stays valid ANTLR.
// What is refused by name (actions, predicates, imports, commands) is recognised here, so that the reader can say what it
// is and where; anything else is a syntax error.
//
// Generate again after a change:  python -m grammars.meta
grammar ClaimwrightGrammar;

grammarFile : header prequel* grammarRule* lexerMode* EOF ;
header      : GRAMMAR name SEMI ;
prequel     : optionList | tokenList | refused ;
optionList  : OPTIONS ( option SEMI )* RBRACE ;
option      : name ASSIGN ( INT | name ( DOT name )* | STRING | ACTION ) ;
tokenList   : TOKENS ( name ( COMMA name )* )? RBRACE ;
refused     : IMPORT name ( COMMA name )* SEMI
            | CHANNELS ( name ( COMMA name )* )? RBRACE
            | namedAction
            ;
namedAction : AT ( name | RESERVED ) ( COLON COLON name )? ACTION ;
lexerMode   : MODE name SEMI grammarRule* ;

grammarRule  : FRAGMENT? name ( optionList | namedAction )* COLON alternatives SEMI ;
alternatives : sequence ( OR sequence )* ;
sequence     : element* command? ( POUND name )? ;
command      : ARROW name ( LPAREN ( name | INT ) RPAREN )? ( COMMA name ( LPAREN ( name | INT ) RPAREN )? )* ;
element      : label? atom suffix? | action ;
label        : name ( ASSIGN | APPEND ) ;
action       : ACTION QUESTION? ;
suffix       : ( QUESTION | STAR | PLUS ) QUESTION? | BOUNDS ;
atom         : name
             | STRING
             | STRING RANGE STRING
             | SET
             | DOT
             | NOT ( STRING | SET | name | LPAREN setPart ( OR setPart )* RPAREN )
             | LPAREN alternatives RPAREN
             ;
setPart      : STRING RANGE STRING | STRING | SET | name ;
name         : NAME ;

GRAMMAR  : 'grammar' ;
IMPORT   : 'import' ;
FRAGMENT : 'fragment' ;
MODE     : 'mode' ;
RESERVED : 'options' | 'tokens' | 'channels' | 'lexer' | 'parser' | 'returns' | 'locals' | 'throws' | 'catch' | 'finally' | 'public' | 'private' | 'protected' ;
OPTIONS  : 'options' BLANK* '{' ;
TOKENS   : 'tokens' BLANK* '{' ;
CHANNELS : 'channels' BLANK* '{' ;

BOUNDS : '{' BLANK* DIGIT+ BLANK* ( ',' BLANK* ( DIGIT+ BLANK* )? )? '}' ;
ACTION : '{' ( ACTION | COMMENT_TEXT | '\\' . | '"' ( '\\' . | ~["\\\r\n] )* '"' | ~[{}\\"] )* '}' ;
STRING : '\'' ( '\\' . | ~['\\\r\n] )* '\'' ;
SET    : '[' ( '\\' . | ~[\]\\\r\n] )* ']' ;
OPEN   : '\'' ( '\\' . | ~['\\\r\n] )* | '[' ( '\\' . | ~[\]\\\r\n] )* | '/*' ( ~'*' | '*'+ ~[*/] )* '*'* ;
NAME   : LETTER ( LETTER | [0-9_\u00B7\u0300-\u036F\u203F-\u2040] )* ;
INT    : DIGIT+ ;

COLON    : ':' ;
SEMI     : ';' ;
COMMA    : ',' ;
OR       : '|' ;
LPAREN   : '(' ;
RPAREN   : ')' ;
RBRACE   : '}' ;
QUESTION : '?' ;
STAR     : '*' ;
PLUS     : '+' ;
RANGE    : '..' ;
DOT      : '.' ;
NOT      : '~' ;
ARROW    : '->' ;
ASSIGN   : '=' ;
APPEND   : '+=' ;
AT       : '@' ;
POUND    : '#' ;

COMMENT : COMMENT_TEXT -> skip ;
BOM     : '\uFEFF' -> skip ;
SPACE   : BLANK+ -> skip ;

fragment COMMENT_TEXT : '//' ~[\r\n]* | '/*' .*? '*/' ;
fragment BLANK  : [ \t\r\n\f] ;
fragment DIGIT  : [0-9] ;
fragment LETTER : [A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD] ;
