"""Shipped grammars, and in `meta` the grammar of the rule language itself with its generated parser."""
