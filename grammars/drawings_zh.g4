// The figure notes (附图说明) of a description: one entry a figure, in order, then the drawing signs.
// 专利法实施细则 20.1(四), 21; 指南 II-2-2.2.5, I-1-4.3. Rules that drawings_zh.json maps to a reason only name a fault.
grammar drawings_zh;

drawings : NEWLINE* ( heading NEWLINE+ )? ( introduction NEWLINE+ )? entries ( NEWLINE+ signs )? NEWLINE* ;

heading      : '附图说明' ;
introduction : paragraph_number? NOT_TU CHAR* INTRO_END ;
entries      : ( line ( NEXT_LINE line )* ) last_end ;
line         : paragraph_number? ( entry | odd_figure | unsaid ) ( ';' ( entry | remark ) | '；' ( entry | remark ) )* ;
NEXT_LINE    : ( '；' | ';' | '。' | '；以及' | '；和' ) NEWLINE+ ;
last_end     : '。' | no_stop ;
entry        : '图' listed BLANK* VERB described ;
listed       : ( figure_range | figure ) ( FIGURE_JOIN '图'? ( figure_range | figure ) )* ;
figure_range : figure FIGURE_DASH '图'? figure ;
figure       : DIGIT DIGIT? SUBFIGURE? ;
described    : ENTRY_CHAR+ ;
remark       : REMARK_FIRST ENTRY_CHAR* ;
signs        : paragraph_number? SIGNS_WORD COLON ( sign_entry ( SIGN_STOP sign_entry )* ( '。' | no_stop ) | empty_signs ) ;
sign_entry   : sign SIGN_MARK sign_name | odd_sign SIGN_MARK sign_name | nameless ;
sign         : DIGIT{1,4} SIGN_LETTER? ;
sign_name    : SIGN_NAME_CHAR+ ;

paragraph_number : '[' DIGIT{4,4} ']' BLANK* ;

// Read, and refused.
odd_figure  : ( '附图' BLANK* DIGIT DIGIT? | '附图' NUMERAL | '图' NUMERAL | 'Fig' '.'? ' '? DIGIT | 'FIG' '.'? ' '? DIGIT ) ENTRY_CHAR* ;
unsaid      : '图' listed BLANK* ENTRY_CHAR* ;
no_stop     : SEMICOLON? ;
empty_signs : '。'? ;
odd_sign    : ODD_SIGN ;
nameless    : DIGIT{1,4} SIGN_LETTER? SIGN_MARK? ;

SIGNS_WORD     : ( '附图标记说明' | '附图标记' | '图中标记' | '图中' | '标号说明' ) ( '为' | '如下' )? ;
VERB           : '是' | '为' | '示出了' | '示出' | '示意了' | '示意出' | '显示了' | '显示' | '表示' | '给出了' | '给出' | '展示了' | '：' | ':' ;
INTRO_END      : [：:。，,] ;
SEMICOLON      : [；;，、] ;
FIGURE_JOIN    : [和、与及] ;
FIGURE_DASH    : [至到\-—～~] ;
SUBFIGURE      : [a-zA-Z] | '(' [a-zA-Z] ')' | '（' [a-zA-Z] '）' ;
SIGN_MARK      : [、.．：:\-－—] | '——' | '-' ' ' ;
SIGN_STOP      : [；;，,] BLANK* NEWLINE* ;
SIGN_LETTER    : [a-zA-Z'′] ;
SIGN_NAME_CHAR : [\u4E00-\u9FFFA-Za-z0-9（）()/·] ;
COLON          : [：:] BLANK* NEWLINE? ;
ODD_SIGN       : [A-Za-z] SIGN_LETTER{0,3} | NUMERAL{1,2} | [甲乙丙丁] ;
NUMERAL        : [一二三四五六七八九十] ;
DIGIT          : [0-9] ;
BLANK          : [ \u00A0\u3000] ;
NEWLINE        : BLANK* '\n' BLANK* ;
// Characters of a note; of an entry, which ends at a semicolon or a full stop; of what may begin a remark or a line.
CHAR           : [\u0020-\u007E\u00A0-\u200A\u2010-\u2027\u202F-\u205E\u2070-\uD7FF\uF900-\uFEFE\uFF00-\uFFEF] ;
ENTRY_CHAR     : [\u0020-\u003A\u003C-\u007E\u00A0-\u200A\u2010-\u2027\u202F-\u205E\u2070-\u3001]
               | [\u3003-\uD7FF\uF900-\uFEFE\uFF00-\uFF1A\uFF1C-\uFFEF] ;
REMARK_FIRST   : [0-9A-Za-z\u4E00-\u56FD\u56FF-\u9643\u9645-\u9FFF（(] ;
NOT_TU         : [A-Za-z\u4E00-\u56FD\u56FF-\u9643\u9645-\u9FFF] ;
