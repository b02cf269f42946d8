"""The tree of claims: independent claims as roots, each dependent under the nearest claim it cites.

A multiple dependent claim stands under the first claim it cites and lists the others in `refs`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .parse import Claim, ClaimSet


@dataclass
class Node:
    """A claim with the claims that depend on it."""

    claim: Claim
    children: list[Node] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """JSON form: number, kind, subject, refs, children."""
        return {
            "number": self.claim.number,
            "kind": self.claim.kind,
            "subject": self.claim.subject,
            "refs": list(self.claim.refs),
            "children": [child.to_dict() for child in self.children],
        }


def claim_tree(claims: ClaimSet) -> list[Node]:
    """The roots in order; a dependent claim whose reference leads nowhere is a root too."""
    nodes: dict[int, Node] = {}
    roots: list[Node] = []
    for claim in claims.claims:
        node = Node(claim)
        parents = [nodes[n] for n in claim.refs if n in nodes] if claim.kind == "dependent" else []
        (parents[0].children if parents else roots).append(node)
        nodes.setdefault(claim.number, node)
    return roots
