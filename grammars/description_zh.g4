// A whole description (说明书): title, five sections, paragraph numbers [0001] throughout or nowhere, figure notes.
// 专利法实施细则 20; 指南 II-2-2.2, I-1-4.2. Rules that description_zh.json maps to a reason are read only to name a fault.
grammar description_zh;

description : NEWLINE* ( title | labelled_title ) NEWLINE+ ( divisional NEWLINE+ )?
              ( technical_field | no_field ) ( background | no_background )
              ( ( summary | no_summary ) figures ( embodiments | no_embodiments )
              | ( summary | no_summary ) ( embodiments | no_embodiments ) ) NEWLINE* ;

title          : NAME_CHAR+ ;
labelled_title : ( '发明名称' | '实用新型名称' | '名称' ) ( '：' | ':' ) NAME_CHAR+ '。'? | NAME_CHAR+ '。' ;
divisional     : ( paragraph_number BLANK* )? '本申请是' ( figure_ref | BODY )* '分案申请' '。' ;

technical_field : ( TECHNICAL_FIELD | odd_field ) NEWLINE+ ( paragraphs | empty_section ) ;
background      : ( BACKGROUND | odd_background ) NEWLINE+ ( paragraphs | empty_section ) ;
summary         : ( SUMMARY | odd_summary ) NEWLINE+ ( paragraphs | empty_section ) ;
figures         : ( FIGURES | odd_figures ) NEWLINE+ ( notes | empty_section ) ;
embodiments     : ( EMBODIMENTS | odd_embodiments ) NEWLINE+ ( paragraphs | empty_section ) ;

paragraphs : ( paragraph NEWLINE+ )* paragraph NEWLINE* ;
paragraph  : numbered | unnumbered | bad_number | stray_heading | picture ;
numbered   : paragraph_number BLANK* line ;
unnumbered : ( FIRST | figure_ref ) ( figure_ref | BODY )* | head_like | '附' FOUR ;
// A line that begins like a heading, but is longer, shorter or a sentence.
head_like  : FOUR_FIRST FOUR | SIX_FIRST ( BODY{0,4} | BODY{6,6} ( figure_ref | BODY )* | BODY{4,4} LINE_END )
           | '技术' ( '方案' | '问题' | '效果' | '背景' ) | '发明' ( '目的' | '效果' ) ;
FOUR       : BODY{0,2} | BODY{4,4} BODY* | BODY{2,2} LINE_END ;
line       : ( figure_ref | BODY )+ ;
figure_ref : '图' BLANK* DIGIT DIGIT? ;

paragraph_number : '[' DIGIT DIGIT DIGIT DIGIT ']' ;

// 附图说明: an introduction, one entry a figure, a list of signs.
notes        : ( note NEWLINE+ )* note NEWLINE* ;
note         : ( paragraph_number BLANK* )? ( signs | entries | odd_figure | unsaid | odd_signs | introduction )
             | bad_number | stray_heading | picture ;
introduction : NOT_TU BODY* | '图' NOT_NUMBER BODY* | '附图' NOT_MARK BODY* | head_like ;
entries      : entry ( ENTRY_STOP ( entry | remark ) )* ENTRY_STOP? ;
entry        : '图' BLANK* listed BLANK* ENTRY_VERB ENTRY_CHAR+ ;
listed       : ( figure_range | figure ) ( FIGURE_JOIN '图'? BLANK* ( figure_range | figure ) )* ;
figure_range : figure FIGURE_DASH '图'? BLANK* figure ;
figure       : DIGIT DIGIT? SUBFIGURE? ;
remark       : REMARK_FIRST ENTRY_CHAR* ;
unsaid       : '图' BLANK* listed BODY* ;
odd_figure   : ( '附图' BLANK* DIGIT | '图' NUMERAL ) BODY* ;
signs        : ( '附图标记说明' | '附图标记' | '图中标记' | '图中' ) ( '为' | '如下' )? COLON ( sign_entry ( SIGN_STOP sign_entry )* '。'? )? ;
odd_signs    : ( '附图标记说明' | '附图标记' ) COLON BODY* ;
sign_entry   : sign ( SIGN_AND sign )* SIGN_MARK sign_name ;
sign         : SIGN_CHAR SIGN_CHAR{0,5} ;
sign_name    : SIGN_NAME_CHAR+ ;

// Read, and refused or noted.
no_field       : ;
no_background  : ;
no_summary     : ;
no_embodiments : ;
empty_section  : ;
odd_field       : ODD_OPEN TECHNICAL_FIELD ODD_CLOSE? | TECHNICAL_FIELD ODD_CLOSE ;
odd_background  : ODD_OPEN BACKGROUND ODD_CLOSE? | BACKGROUND ODD_CLOSE ;
odd_summary     : ODD_OPEN SUMMARY ODD_CLOSE? | SUMMARY ODD_CLOSE ;
odd_figures     : ODD_OPEN FIGURES ODD_CLOSE? | FIGURES ODD_CLOSE ;
odd_embodiments : ODD_OPEN EMBODIMENTS ODD_CLOSE? | EMBODIMENTS ODD_CLOSE ;
stray_heading   : ODD_OPEN? ( TECHNICAL_FIELD | BACKGROUND | SUMMARY | FIGURES | EMBODIMENTS ) ODD_CLOSE? ;
bad_number      : ( '[' DIGIT{1,3} ']' | '[' DIGIT{5,8} ']' | '【' DIGIT{1,8} '】' ) BODY* ;
picture         : ( paragraph_number BLANK* )? ( '![' | '<img' ) BODY* ;

TECHNICAL_FIELD : '技术领域' ;
BACKGROUND      : '背景技术' ;
SUMMARY         : '发明内容' | '实用新型内容' ;
FIGURES         : '附图说明' ;
EMBODIMENTS     : '具体实施方式' ;
ODD_OPEN        : '【' | '#' '#'? ' '? | '[' | [一二三四五] '、' | [1-5] [.、] BLANK* ;
ODD_CLOSE       : '】' | ']' | '：' | ':' ;
ENTRY_VERB      : '是' | '为' | '示出' | '示意' | '显示' | '表示' | '给出' | '展示' | '：' | ':' | '示' ;
ENTRY_STOP      : [；;。] ;
FIGURE_JOIN     : [和、与及，] ;
FIGURE_DASH     : [至到\-—～~] ;
SUBFIGURE       : [a-zA-Z] | '(' [a-zA-Z] ')' | '（' [a-zA-Z] '）' ;
SIGN_MARK       : [、.．：:\-－—…为] BLANK* | '——' | '……' ;
SIGN_AND        : [、,，] ;
SIGN_STOP       : [；;，,] BLANK* ;
SIGN_CHAR       : [0-9A-Za-z'′] ;
SIGN_NAME_CHAR  : [\u4E00-\u9FFF0-9A-Za-z（）()/·、] ;
COLON           : [：:] BLANK* ;
NUMERAL         : [一二三四五六七八九十] ;
DIGIT           : [0-9] ;
NOT_DIGIT       : [\u4E00-\u9FFFA-Za-z] ;
BLANK           : [ \u00A0\u3000\t] ;
NEWLINE         : BLANK* '\n' ;
NAME_CHAR       : [\u4E00-\u9FFF0-9A-Za-z\u0370-\u03FF\-、（）()/·—,，+℃%.~～@\u2160-\u217F ] ;
// Characters of a line: no control, zero-width or private ones. The subsets say what may begin a line, a remark, a note.
BODY            : [\t\u0020-\u007E\u00A0-\u200A\u2010-\u2027\u202F-\u205E\u2070-\uD7FF\uF900-\uFEFE]
                | [\uFF00-\uFFEF\u{10000}-\u{10FFFF}] ;
FIRST           : [\u0022\u0024-\u005A\u005C\u005E-\u007E\u00A1-\u200A\u2010-\u2027\u202F-\u205E]
                | [\u2070-\u2FFF\u3001-\u300F\u3012-\u5176\u5178-\u53D0\u53D2-\u5B9D\u5B9F-\u627F]
                | [\u6281-\u80CB\u80CD-\u9643\u9645-\uD7FF\uF900-\uFEFE\uFF00-\uFFEF\u{10000}-\u{10FFFF}] | ( '【' | '[' ) NOT_DIGIT ;
FOUR_FIRST      : [技背发] ;
SIX_FIRST       : [实具] ;
LINE_END        : [。；：，;:,.)）”] ;
ENTRY_CHAR      : [\t\u0020-\u003A\u003C-\u007E\u00A0-\u200A\u2010-\u2027\u202F-\u205E\u2070-\u3001]
                | [\u3003-\uD7FF\uF900-\uFEFE\uFF00-\uFF1A\uFF1C-\uFFEF\u{10000}-\u{10FFFF}] ;
REMARK_FIRST    : [\u0020-\u003A\u003C-\u007E\u00A1-\u200A\u2010-\u2027\u2030-\u205E\u2070-\u3001]
                | [\u3003-\u56FD\u56FF-\uD7FF\uF900-\uFEFE\uFF00-\uFF1A\uFF1C-\uFFEF\u{10000}-\u{10FFFF}] ;
NOT_TU          : [\u0022\u0024-\u005A\u005C\u005E-\u007E\u00A1-\u200A\u2010-\u2027\u202F-\u205E]
                | [\u2070-\u2FFF\u3001-\u300F\u3012-\u5176\u5178-\u53D0\u53D2-\u56FD\u56FF-\u5B9D]
                | [\u5B9F-\u627F\u6281-\u80CB\u80CD-\u9643\u9645-\uD7FF\uF900-\uFEFE\uFF00-\uFFEF]
                | [\u{10000}-\u{10FFFF}] | ( '【' | '[' ) NOT_DIGIT ;
NOT_NUMBER      : [\u4E01-\u4E02\u4E04-\u4E08\u4E0A-\u4E5C\u4E5E-\u4E8B\u4E8D-\u4E93\u4E95-\u516A\u516C]
                | [\u516E-\u5340\u5342-\u56DA\u56DC-\u9FFF] ;
NOT_MARK        : [\u4E01-\u4E02\u4E04-\u4E08\u4E0A-\u4E5C\u4E5E-\u4E8B\u4E8D-\u4E93\u4E95-\u516A\u516C]
                | [\u516E-\u5340\u5342-\u56DA\u56DC-\u6806\u6808-\u9FFF] ;
