// One claim of a published Chinese claim set with its printed number: a profile for reading, not for writing.
// 专利法实施细则 22-25; 指南 II-2-3.3, I-1-4.4. What lies between claims is declared in claims_granted_zh.json, which
// also names the rules that are read only to say what is wrong: the language is the grammar without them.
grammar claims_granted_zh;

claim : heading? number_word? number ( SEPARATOR | odd_separator ) ( dependent | independent ) ( ENDING | doubled_stop | no_stop ) ;

number_word   : ( '权利要求' | '权项' | '第' ) BLANK* ;
number        : DIGIT DIGIT? DIGIT? ;
odd_separator : ( '项' ( '.' | '、' )? | ')' | '）' | ':' | '：' | BLANK ) BLANK* ;
doubled_stop  : WHITE* PUNCT WHITE* '。' WHITE* | WHITE* '。' WHITE* ( '。' WHITE* )+ ;
no_stop       : WHITE* PUNCT? WHITE* ;

dependent   : lead? ( cites subject | bare name_after | no_subject ) rest? ;
independent : one? title rest? ;
one         : ( '一' | '—' ) BLANK* '种' BLANK* ;
lead        : ( one? ( '根据' | '按照' | '依据' | '依照' | '如' | '按' | '基于' | '由' ) BLANK* )? condition? | one | ONE_UNIT ;
condition   : '当' BLANK* CLAIMS BLANK* DIGITS BLANK* ( '引用' | '从属于' ) BLANK* CLAIMS BLANK* DIGITS BLANK* '时'
              BLANK* COMMA? ( '根据' | '如' | '按照' )? BLANK* ;

// The subject name, and everything behind it: clauses between commas, semicolons, colons and line breaks.
title      : ( mark | cites ( TEXT | QUAN | sign ) | bare FOLLOW | sign | TEXT | QUAN | wide
             | mention | picture | heading | stray )+ QUAN_END? ;
subject    : ( mark | cites | bare FOLLOW | sign | TEXT | QUAN | wide | mention | picture | heading | stray )+ QUAN_END? ;
name_after : FOLLOW ( mark | cites | bare FOLLOW | sign | TEXT | QUAN | wide | mention | picture | heading | stray )* QUAN_END? ;
rest       : ( ( SEP | doubled | inner_stop | table ) label? clause | table )+ ;
clause     : ( mark | cites | bare FOLLOW | sign | TEXT | QUAN | wide | mention | picture | heading | stray )+ QUAN_END? ;
mark       : '其'? BLANK* ( '特征' BLANK* ( '在于' | '是' | '为' | '于' ) | '改进' '之处'? '在于' ) ;
sign       : OPEN SIGN_CHAR ( SIGN_CHAR | SIGN_JOIN )* CLOSE ;
label      : ( '步骤' BLANK* )? ( 'S' | 's' )? DIGITS ( ( '-' | '.' ) DIGITS )* LABEL_END | '步骤' NUMERAL NUMERAL* LABEL_END
           | ( '(' | '（' ) ( DIGITS | NUMERAL | LETTER ) ( ')' | '）' ) | LETTER ( ')' | '）' ) | CIRCLED ;

// How a claim is cited: the one, or several in the alternative only (细则 25.2).
cites    : citation | conjunctive | unnumbered ;
citation : BEFORE? CLAIMS BLANK* ( any | chosen | single ) | BEFORE_ANY CLAIMS BLANK* items SAID ;
single   : cited BLANK* SAID ;
chosen   : one_of ( ( LISTING | OR ) one_of )* OR one_of SAID ;
one_of   : ( CLAIMS BLANK* )? cited BLANK* ;
any      : items any_of ( OR items any_of? )* SAID? ;
items    : item ( JOIN item )* ;
item     : ( CLAIMS BLANK* )? ( span | cited ) BLANK* ;
span     : cited BLANK* DASH BLANK* ( CLAIMS BLANK* )? cited ;
cited    : DIGIT DIGIT? DIGIT? ;
any_of   : ( '中' | '之' )? '的'? except? BLANK* ( '任意一项' | '任一项' | '任何一项' | '任一权利要求' | '任一权' | '任意项' | '任一个' | '任意一个' | '任一种'
         | '任意一种' | '任一' | '任意' | '之任一' | '之一' | '其中一项' | '其中任一项' | '其中任意一项' | '一项' ) CLAIMS? ;
except   : '除' BLANK* CLAIMS BLANK* cited BLANK* ( '之外' | '以外' | '外' ) '的'? ;
bare     : CLAIMS BLANK* cited BLANK* ;

// Read, and refused.
conjunctive : BEFORE? CLAIMS BLANK* ( item ( JOIN item )+ | span BLANK* ) SAID? ;
unnumbered  : BEFORE CLAIMS any_of? SAID? | BEFORE_ANY CLAIMS SAID? | CLAIMS BLANK* any_of? SAID ;
no_subject  : BEFORE? CLAIMS BLANK* items any_of? SAID? ;
mention     : CLAIMS ;
doubled     : WHITE* PUNCT ( WHITE* PUNCT )+ WHITE* ;
inner_stop  : WHITE* '。' WHITE* ( '。' WHITE* )* ;
table       : PUNCT? ( WHITE* '\n' BLANK* '|' ( OTHER | HAN | PUNCT | '|' )* )+ | WHITE* '\t' WHITE* ;
heading     : '【' ( TEXT | PUNCT )* '】'? BLANK* ;
picture     : '![' ;
stray       : STRAY ;
wide        : WIDE ;

CLAIMS     : '权利要求' ;
COMMA      : [，,] ;
OPEN       : [(（〔] ;
CLOSE      : [)）〕] ;
SIGN_CHAR  : [0-9A-Za-z] ;
SIGN_JOIN  : [,，、'’′\-～~] ;
NUMERAL    : [一二三四五六七八九十] ;
CIRCLED    : [①②③④⑤⑥⑦⑧⑨⑩] ;
WIDE       : [０-９Ａ-Ｚａ-ｚ] ;
LABEL_END  : [、：:)）] BLANK* ;
SEP        : WHITE* PUNCT WHITE* | WHITE* '\n' WHITE* ;
SEPARATOR  : [.．、] BLANK* ;
ENDING     : WHITE* '。' WHITE* ;
ONE_UNIT   : '一' [个套组台件] BLANK* ;
BEFORE     : ( '前述' | '上述' | '以上' | '在前' | '前面' ) '的'? BLANK* ;
BEFORE_ANY : ( '任意一项' | '任一项' | '任何一项' | '任一' | '任意' | '任何' ) '的'? BLANK* ( '前述' | '上述' | '以上' | '在前' ) BLANK*
           | ( '前述' | '上述' ) ( '任意一项' | '任一项' | '任一' | '任意' ) BLANK* ;
SAID       : '中'? ( '所述及的' | '所述的' | '所述' | '所限定的' | '所限定' | '限定的' | '所要求保护的' | '所要求的' | '要求保护的'
           | '所记载的' | '记载的' | '所说的' | '述的' | '的' ) BLANK* ;
LISTING    : BLANK* [、，,] BLANK* ;
OR         : BLANK* [、，,]? BLANK* ( '或者' | '或是' | '或' ) BLANK* ;
JOIN       : BLANK* [、，,]? BLANK* ( '和/或' | '或者' | '或是' | '或' | '以及' | '和' | '与' | '及' ) BLANK* | LISTING ;
DASH       : [至到\-－—–~～〜∼‑] ;

// 权 opens 权利要求 nowhere but in a citation; QUAN is every other use of it (the failure function of that word).
QUAN     : ( '权' ( '利' '要'? )? )* '权' ( NOT_LI | '利' NOT_YAO | '利要' NOT_QIU ) ;
QUAN_END : ( '权' ( '利' '要'? )? )+ ;
NOT_LI   : OTHER | [\u3400-\u4DBF\u4E00-\u5228\u522A-\u6742\u6744-\u9FFF\u{20000}-\u{3134F}] ;
NOT_YAO  : OTHER | [\u3400-\u4DBF\u4E00-\u6742\u6744-\u8980\u8982-\u9FFF\u{20000}-\u{3134F}] ;
NOT_QIU  : OTHER | [\u3400-\u4DBF\u4E00-\u6742\u6744-\u6C41\u6C43-\u9FFF\u{20000}-\u{3134F}] ;
TEXT     : OTHER | HAN | ABSOLUTE ;
ABSOLUTE : '|' '|'? ( OTHER | HAN )+ '|' '|'? ;
HAN      : [\u3400-\u4DBF\u4E00-\u6742\u6744-\u9FFF\u{20000}-\u{3134F}] ;
OTHER    : [\u0020"%-+\u002D-9<-\u005B\u005D-_a-{}-~\u00A0\u00A7°-\u00B5·\u00B9\u00BC-\u00BE]
         | [\u00C0-\u02AF\u0300-\u04FF\u2010-\u2027‰-\u205E\u2070-\u209F\u2100-\u23FF①-\u25FF]
         | [\u2A7D-\u2A7E\u3000-、々〇-\u300F\u3014-\u3017\u301C\u3380-\u33DF\uFE6A％-＋－-／＜-＞［］＿｛｝-～] ;
// Behind a claim number that stands alone: no numeral, no joining word.
FOLLOW   : [\u4E01-\u4E0D\u4E0F-\u4E2C\u4E2E-\u4E4A\u4E4C-\u4EE4\u4EE6-\u4EFA\u4EFC-\u5175]
         | [\u5177-\u522F\u5231-\u53C9\u53CB-\u548B\u548D-\u6215\u6217-\u623F\u6241-\u6742]
         | [\u6744-\u7683\u7685-\u81F2\u81F4-\u8BAF\u8BB1-\u8FEF\u8FF1-\u964F\u9651-\u9663]
         | [\u9665-\u9FFF] ;
PUNCT    : [，,；;：:] ;
WHITE    : [ \u00A0\u3000\n] ;
BLANK    : [ \u00A0\u3000] ;
DIGIT    : [0-9] ;
DIGITS   : [0-9]+ ;
LETTER   : [A-Za-z] ;
// Nothing of a claim: control and private characters, emphasis, editing marks.
STRAY    : [\u0000-\u0008\u000B-\u001F\u0021\u0023-\u0024\u005C\u0060\u007F-\u009F\u00A1-\u00A6]
         | [\u00A8-\u00AF\u00B6\u00B8\u00BA-\u00BB\u00BF\u02B0-\u02FF\u0500-\u200F\u2028-\u202F]
         | [\u205F-\u206F\u20A0-\u20FF\u2400-\u245F\u2600-\u2A7C\u2A7F-\u2FFF\u3003-\u3004\u3006]
         | [\u3011-\u3013\u3018-\u301B\u301D-\u337F\u33E0-\u33FF\u4DC0-\u4DFF\uA000-\uD7FF]
         | [\uE000-\uFE69\uFE6B-\uFF04\uFF1F-\uFF20\uFF3C\uFF3E\uFF40\uFF5C\uFF5F-\u{1FFFF}]
         | [\u{31350}-\u{10FFFF}] ;
