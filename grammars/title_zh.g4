// The title: the subject of the claims, shown with its category; at most 25 characters by the request's budget (指南 I-1-4.1.1).
grammar title_zh;

title : '一种' SUBJECT | SUBJECT ;
