// The abstract: 专利法实施细则 26; at most 300 characters by the request's budget (指南 I-1-4.5.1).
// The solution in the model's words, then the effect in the disclosure's own (EFFECT). SELF is 本发明 or 本实用新型.
grammar abstract_zh;

abstract : solution '。' ;
effective : solution '。' EFFECT '。' ;
solution : SELF '公开了一种' SUBJECT '，' clause ( ( '，' | '；' ) clause )* ;
clause   : phrase ( '、' phrase )* ;
phrase   : WORD WORD* ;
