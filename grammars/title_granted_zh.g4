// A finished title (发明名称): a noun phrase of at most 60 characters, normally 25. 指南 I-1-4.1.1, II-2-2.2.1.
// Rules that title_granted_zh.json maps to a reason are read only to name a fault.
grammar title_granted_zh;

title : label? name ( stop | broken )? ;
name  : START ( ( model | mark | CHAR )* ( END | model | mark ) )? ;

label  : ( '发明名称' | '实用新型名称' | '名称' | '标题' ) ( '：' | ':' ) ;
stop   : STOP ;
broken : '\n' ( CHAR | '\n' | stop )* ;
model  : UPPER{2,6} '-' DIGIT{2,6} LETTER? '型'? | UPPER{1,6} DIGIT{1,6} '型' | '型号' ;
mark   : MARK ;

START  : [\u4E00-\u9FFF0-9A-Za-zα-ωΑ-Ω（(“] ;
CHAR   : [\u4E00-\u9FFF0-9A-Za-zα-ωΑ-Ω（）()“”、/·\-－—+ ，,.~～%℃:：′'@&／Ａ-Ｚ\u2160-\u216B\u2080-\u2089] ;
END    : [\u4E00-\u9FFF0-9A-Za-zα-ωΑ-Ω）)”\u2160-\u216B\u2080-\u2089] ;
STOP   : [。.！!；;，,？?：:、] ;
MARK   : [®™©] ;
UPPER  : [A-Z] ;
LETTER : [A-Za-z] ;
DIGIT  : [0-9] ;
