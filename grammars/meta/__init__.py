"""The grammar of the rule language, and its lexer and parser as ANTLR generated them (`python -m grammars.meta`)."""
