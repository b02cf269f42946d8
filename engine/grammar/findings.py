"""What is wrong with a grammar, where, and what to do about it, in Chinese and English.

Readers and the compiler raise GrammarError (StateBudgetExceeded when a rule grows too large); `checks` collects findings.
"""

from __future__ import annotations


class GrammarError(ValueError):
    """A grammar that cannot be used; `line` and `column` are 1-based, 0 when the whole text is meant."""

    def __init__(self, code: str, message: str, line: int = 0, column: int = 0):
        where = f" (line {line}, column {column})" if line else ""
        super().__init__(f"{code}: {message}{where}")
        self.code, self.line, self.column = code, line, column


class StateBudgetExceeded(GrammarError):
    """A rule whose automaton passed `budget` states, and why: the part of it that grew."""

    def __init__(self, rule: str, states: int, budget: int, why: str, line: int = 0, column: int = 0):
        message = f"rule {rule} passed {budget} states at {states}, because {why}"
        super().__init__("state-budget", message, line, column)
        self.rule, self.states, self.budget, self.why = rule, states, budget, why
