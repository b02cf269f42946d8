// The invention model of a disclosure as one JSON object; every value is a span of the disclosure.
grammar invention_zh;

invention : '{"subject":"' SPAN '","category":"' category '","field":"' SPAN '","problem":"' SPAN '","parts":[' parts
            '],"features":[' features '],"options":[' choices '],"effects":[' effects ']}' ;
category  : '产品' | '软件方法' | '方法' ;
parts     : item ( ',' item ){2,11} ;
features  : item ( ',' item ){2,9} ;
choices   : item ( ',' item ){1,7} ;
effects   : item ( ',' item ){0,3} ;
item      : '"' SPAN '"' ;
