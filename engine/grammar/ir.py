"""The grammar's intermediate form: rules over five node kinds, the same for every source language.

A name in upper case without a rule is a *host slot*: the request's frame supplies its strings.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Literal:
    text: str


@dataclass(frozen=True)
class Chars:
    """One character out of inclusive code point ranges."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Ref:
    """A rule or a host slot, by name."""

    name: str


@dataclass(frozen=True)
class Seq:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Alt:
    """Alternatives in priority order: the first that fits wins in the trace."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """`item` at least `low` and at most `high` times; `high` None is unbounded."""

    item: Node
    low: int
    high: int | None


Node = Literal | Chars | Ref | Seq | Alt | Repeat
Rules = dict[str, Node]


def references(node: Node) -> set[str]:
    """Names of the rules and slots that a node mentions."""
    if isinstance(node, Ref):
        return {node.name}
    if isinstance(node, Seq):
        return set().union(*(references(item) for item in node.items)) if node.items else set()
    if isinstance(node, Alt):
        return set().union(*(references(option) for option in node.options))
    if isinstance(node, Repeat):
        return references(node.item)
    return set()
