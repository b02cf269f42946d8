// One claim of a Chinese claim set. The host owns the number in front of it, and every reference (REF, LINK).
// 细则 22-25; 指南 II-2-3.3. Terms after 所述 are limited to those introduced: see the semantics of the rule set.
grammar claims_zh;

independent : '一种' SUBJECT '，其特征在于，' ( structure | steps ) '。' ;
structure   : '包括' clause ( separator clause )* ;
steps       : '包括以下步骤：' clause ( separator clause )* ;
dependent   : REF '所述的' SUBJECT '，其特征在于，' ( '还包括' )? clause ( separator clause )* '。' ;
device      : '一种' DEVICE '，包括存储器、处理器以及存储在所述存储器上并可在所述处理器上运行的计算机程序，其特征在于，'
              '所述处理器执行所述计算机程序时实现' LINK '所述的' SUBJECT '。' ;
medium      : '一种计算机可读存储介质，其上存储有计算机程序，其特征在于，所述计算机程序被处理器执行时实现'
              LINK '所述的' SUBJECT '。' ;

clause      : phrase ( '、' phrase )* ;
phrase      : piece piece* ;
piece       : '所述' TERM | WORD ;
separator   : '，' | '；' ;
