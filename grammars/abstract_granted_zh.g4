// A finished abstract (说明书摘要): one paragraph of at most 300 characters, and the designated figure.
// 专利法实施细则 26; 指南 I-1-4.5, II-2-2.4. Rules that abstract_granted_zh.json maps to a reason only name a fault.
grammar abstract_granted_zh;

abstract : WHITE* ( heading | numbered )? text ( NEWLINE+ designation )? WHITE* ;
text     : sentence+ no_stop? ;
sentence : break? ( label | section )? START ( CHAR | break | sign )* '。' ;
no_stop  : START ( CHAR | break | sign )* ;

designation : ( '摘要附图' | '附图' ) COLON '图' DIGIT DIGIT? '。'? ;
sign        : OPEN DIGIT DIGIT? DIGIT? DIGIT? CLOSE ;

// Read, and refused.
heading  : ( '【'? ( '说明书摘要' | '摘要' | '摘  要' | '摘 要' ) '】'? ( COLON | NEWLINE )+ | '【' ( '说明书摘要' | '摘要' ) '】' ) WHITE* ;
section  : ( '技术领域' | '技术问题' | '技术方案' | '有益效果' | '背景技术' ) COLON | '【' ( '目的' | '方案' | '效果' | '技术领域' | '技术方案' ) '】' ;
label    : DIGIT+ ( '、' | '．' ) ;
numbered : '[' DIGIT{4,4} ']' WHITE* ;
break    : NEWLINE+ ;

COLON   : [：:] ;
OPEN    : [（(] ;
CLOSE   : [）)] ;
DIGIT   : [0-9] ;
NEWLINE : '\n' ;
WHITE   : [ \u3000\n] ;
START   : [\u0022\u4E00-\u9FFFA-Za-zα-ωΑ-Ω“（(①-⒇] | DIGIT ;
CHAR    : [\u0020\u0022-\u0023\u0025-\u005A\u005C\u005E-\u005F\u0061-\u007A\u007E\u00A0-\u02AF]
        | [\u0300-\u04FF\u2010-\u2027\u2030-\u205E\u2070-\u209F\u2100-\u25FF\u2A7D-\u2A7E]
        | [\u3000-\u3001\u3005\u3007-\u300F\u3014-\u3017\u3380-\u33DF\u3400-\u4DBF\u4E00-\u9FFF％＆]
        | [（-＋，－-／０-９：；＜-＞Ａ-Ｚａ-ｚ～;\u005B\u005D\u007B-\u007D] ;
