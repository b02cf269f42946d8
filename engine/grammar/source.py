"""`parse_g4`: the name under which callers of the first reader know `engine.grammar.checks.load`."""

from engine.grammar.checks import load as parse_g4

__all__ = ["parse_g4"]
