// The reply to an office action (意见陈述书): head, amendments with their basis, one answer an objection, request,
// enclosures, signature. 专利法 33, 37; 细则 57, 58; 指南 II-8-5, II-4-3.2.1.1 (three steps), II-3-3.1 (one document).
// Rules that reply_zh.json maps to a reason are read only to name a fault.
grammar reply_zh;

reply : NEWLINE* '意见陈述书' NEWLINES head ( salutation NEWLINES )? ( opening | no_opening )
        ( amendments | unamended | no_amendments ) answers ( closing_section | no_closing )
        ( enclosures )? ( signature | no_signature ) ( reply_date | bad_date | no_date ) NEWLINE* ;

answers : answer+ | no_answer ;
answer  : novelty | inventive | other ;

// 申请号 to 代理师 (指南 II-8-5.1.1).
head          : ( '申请号' COLON ( application_number | bad_number ) NEWLINES | no_application )
                ( ( '发明创造名称' | '发明名称' ) COLON title NEWLINES | no_title ) ( '申请人' COLON NAME NEWLINES | no_applicant )
                agency? ;
application_number : 'CN'? DIGIT{12,12} '.' CHECK ;
title         : LINE+ ;
agency        : '代理机构' COLON NAME NEWLINES ( ( '专利代理师' | '代理师' | '代理人' ) COLON NAME NEWLINES )? ;
salutation    : '尊敬的' '专利局'? '审查员' '老师'? '：' ;
opening       : OPENING* ( '于' | '在' )? notice_date OPENING* notice OPENING* OPENING_END NEWLINES ;
notice        : '第' ROUND '次审查意见通知书' | '补正通知书' | '复审通知书' | '分案通知书' ;
notice_date   : DATE ;

// What was changed, and where the original documents say it.
amendments  : section_number '、' ( '修改说明' | '关于修改的说明' | '申请文件的修改说明' ) NEWLINES
              ( ( amendment | vague_change | unfounded ) NEWLINES )+ ( within_disclosure | no_disclosure ) ;
amendment   : item_number '、' change BASIS_MARK origin ( ORIGIN_JOIN origin )* '。' ;
change      : CHANGE_FIRST ( quoted | CHANGE )* ;
quoted      : '“' ( LINE_NO_QUOTE )+ '”' ;
origin      : claim_origin | paragraph_origin | figure_origin | abstract_origin ;
claim_origin     : '原'? '权利要求' ( '书' | DIGITS ( ( '、' | '至' | '和' ) DIGITS )* ) ;
paragraph_origin : '原'? '说明书第' ( '[' DIGIT{4,4} ']' ( ( '、' | '至' | '-' ) '[' DIGIT{4,4} ']' )* '段' | DIGITS '页第' DIGITS ( '行' | '段' ) ) ;
figure_origin    : '原'? ( '说明书附图' | '附图' | '图' ) DIGITS ;
within_disclosure : LINE* '专利法第33条' LINE* '。' NEWLINES ;
unamended   : section_number '、' ( '修改说明' | '关于修改的说明' ) NEWLINES ( '本次答复未' | '申请人未' | '本次未' ) LINE* '。' NEWLINES ;

// One document and one solution in it.
novelty        : section_number '、' '关于' topic_novelty STATUTE? NEWLINES ( paragraph NEWLINES )+ novelty_conclusion ;
topic_novelty  : CLAIMS_OF '的'? '新颖性' ;
novelty_conclusion : CONCLUDES LINE* '具备' LINE* '新颖性' LINE* '。' NEWLINES | no_conclusion ;

// Three steps, then the effect.
inventive       : section_number '、' '关于' topic_inventive STATUTE? NEWLINES ( step_closest | no_closest )
                  ( step_difference | no_difference ) ( step_teaching | no_teaching ) ( step_effect | no_effect )
                  ( step_conclusion | no_conclusion ) ;
topic_inventive : CLAIMS_OF '的'? '创造性' ;
step_closest    : step_number '最接近的现有技术' NEWLINES ( paragraph NEWLINES )+ ;
step_difference : step_number '区别技术特征' ( ( '及' | '和' ) ( '其'? '实际解决的技术问题' ) )? NEWLINES ( paragraph NEWLINES )+ ;
step_teaching   : step_number ( '技术启示' | '现有技术没有给出技术启示' | '非显而易见性' ) NEWLINES ( paragraph NEWLINES )+ ;
step_effect     : step_number ( '有益效果' | '有益的技术效果' | '显著的进步' ) NEWLINES ( paragraph NEWLINES )+ ;
step_conclusion : step_number ( '结论' | '小结' ) NEWLINES ( paragraph NEWLINES )+ ;

other       : section_number '、' '关于' topic_other STATUTE? NEWLINES ( paragraph NEWLINES )+ ;
topic_other : TOPIC+ OTHER_GROUND ;

paragraph : ( document | PARA_FIRST | NUMERAL NOT_ENUM | '（' NOT_NUMERAL ) ( document | LINE )* ;
document  : ( 'D' | '对比文件' ) DIGIT DIGIT? ;

closing_section : section_number '、' ( '结语' | '结论' | '结束语' ) NEWLINES ( paragraph NEWLINES )* ( request | no_request ) ;
request         : '综上' LINE* ( '恳请' | '请求' | '敬请' | '请' ) LINE* ( '授予专利权' | '继续审查' | '早日授权' | '予以授权' | '撤销驳回决定' ) LINE* '。' NEWLINES ;

enclosures        : '附件' '清单'? COLON NEWLINES
                    ( item_number ( '、' | '.' | '．' ) ( replacement_sheets | comparison | enclosure ) '。'? NEWLINES )+ ;
replacement_sheets : ( '修改后的' )? ( '权利要求书' | '说明书' | '说明书摘要' | '说明书附图' | '权利要求书和说明书' ) ( '全文' )? '替换页' PAGES? ;
comparison        : ( '权利要求书' | '说明书' )? '修改对照' ( '页' | '表' ) PAGES? ;
enclosure         : LINE_NO_STOP+ ;

signature           : agency_signature | applicant_signature ;
agency_signature    : '代理机构（盖章）' COLON NAME NEWLINES ( '专利代理师' | '代理师' ) '（签字）' COLON NAME NEWLINES ;
applicant_signature : '申请人' ( '（签字或盖章）' | '（盖章）' | '（签字）' ) COLON NAME NEWLINES ;
reply_date          : DATE ;

section_number : NUMERAL{1,3} ;
step_number    : '（' NUMERAL '）' ;
item_number    : DIGIT DIGIT? ;

// Read, and refused.
no_application : ;
no_title       : ;
no_applicant   : ;
no_opening     : ( PARA_FIRST LINE* NEWLINES )? ;
no_amendments  : ;
no_disclosure  : ;
no_answer      : ;
no_conclusion  : ;
no_closest     : ;
no_difference  : ;
no_teaching    : ;
no_effect      : ;
no_closing     : ;
no_request     : ( '综上' LINE* NEWLINES )? ;
no_signature   : ;
no_date        : ;
bad_date       : DIGIT LINE* ;
bad_number      : LINE+ ;
abstract_origin : '原'? '说明书'? '摘要' | '优先权文件' | '优先权文本' | '附图测量' ;
unfounded       : item_number '、' change '。' ;
vague_change    : item_number '、' LINE* ( '适当修改' | '适应性修改' | '相应修改' ) '。' ;

STATUTE      : '（' ( '专利法' | '专利法实施细则' | '细则' ) '第' DIGITS '条' ( '第' DIGITS '款' )? '）' ;
CLAIMS_OF    : '独立'? '权利要求' DIGITS ( ( '、' | '至' | '-' | '和' ) DIGITS )* ;
OTHER_GROUND : '清楚' | '的清楚问题' | '支持' | '公开充分' | '单一性' | '修改超范围' | '修改' | '必要技术特征' | '保护客体' | '实用性' | '形式缺陷' | '简要' | '引用关系' ;
CONCLUDES    : '因此' | '综上' | '可见' | '故' | '由此' ;
BASIS_MARK   : ( '，' | '；' | '。' ) ( '修改依据' ( '为' | '是' | '见' | '：' ) | '其依据为' | '依据为' | '该修改记载于' | '来自' ) ;
ORIGIN_JOIN  : '、' | '和' | '以及' | '及' | '，' ;
PAGES        : '（' DIGITS '页）' | DIGITS '页' ;
OPENING_END  : '：' | '。' ;
ROUND        : NUMERAL{1,2} ;
DATE         : '20' DIGIT DIGIT '年' MONTH '月' DAY '日' ;
MONTH        : '1' [0-2] | [1-9] ;
DAY          : [1-9] | [12] DIGIT | '3' [01] ;
CHECK        : [0-9Xx] ;
COLON        : [：:] ;
NUMERAL      : [一二三四五六七八九十] ;
DIGIT        : [0-9] ;
DIGITS       : [0-9]+ ;
NEWLINE      : [ \u3000]* '\n' [ \u3000]* ;
NEWLINES     : NEWLINE+ ;
NAME         : NAME_CHAR+ ;
NAME_CHAR    : [\u4E00-\u9FFF0-9A-Za-z（）()·、．.，×［］ ] ;
// Characters of a line, and the subsets that keep a line from being read as what it is not.
LINE            : [\u0020-\u007E\u00A0-\u200A\u2010-\u2027\u202F-\u205E\u2070-\u4DFF\u4E00-\u9FFF]
                | [\uA000-\uD7FF\uF900-\uFEFE\uFF00-\uFFEF] ;
LINE_NO_STOP    : [\u0020-\u007E\u00A0-\u200A\u2010-\u2027\u2030-\u205E\u2070-\u3001\u3003-\uD7FF\uFF00-\uFFEF] ;
LINE_NO_QUOTE   : [\u0020-\u007E\u00A0-\u200A\u2010-\u201B\u201E-\u2027\u2030-\u205E\u2070-\uD7FF\uFF00-\uFFEF] ;
CHANGE_FIRST    : [\u4E00-\u9FFF] ;
CHANGE          : [\u0020-\u007E\u00A0-\u200A\u2010-\u201B\u201E-\u2027\u2030-\u205E\u2070-\u3001]
                | [\u3003-\uD7FF\uFF00-\uFFEF] ;
OPENING         : [\u0020-\u002F\u003A-\u007E\u2010-\u2027\u3001\u3003-\u9FFF\uFF00-\uFF19\uFF1B-\uFFEF] ;
TOPIC           : [0-9A-Za-z\u4E00-\u9FFF、，“”《》\-·] ;
PARA_FIRST      : [\u0022\u0024-\u0029\u002B-\u005A\u005C-\u005F\u0061-\u007E\u00A0-\u200A\u2010-\u2027]
                | [\u2030-\u205E\u2070-\u2FFF\u3001-\u300F\u3012-\u4DFF\u4E01-\u4E02\u4E04-\u4E08]
                | [\u4E0A-\u4E5C\u4E5E-\u4E8B\u4E8D-\u4E93\u4E95-\u516A\u516C\u516E-\u5340\u5342-\u56DA]
                | [\u56DC-\u9FFF\uA000-\uD7FF\uF900-\uFEFE\uFF00-\uFF07\uFF09-\uFFEF] ;
NOT_NUMERAL     : [0-9A-Za-z\u4E01-\u4E02\u4E04-\u4E08\u4E0A-\u4E5C\u4E5E-\u4E8B\u4E8D-\u4E93\u4E95-\u516A]
                | [\u516C\u516E-\u5340\u5342-\u56DA\u56DC-\u9FFF] ;
NOT_ENUM        : [0-9A-Za-z\u4E00-\u9FFF，。；：“”（）] ;
