"""What a form cannot say: which terms are in scope, and which words are never written.

Terms are known beforehand (the invention model), so they are *spotted* while the text grows: leftmost, longest match,
one character at a time. A term completed outside a use site is introduced; after 所述 only a term in scope may follow;
a term in scope may not be named again without 所述 (指南 II-2-3.3, antecedent basis; strict house profile). The steps
themselves are kernels: `engine.grammar.machine`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """The semantic frame of one request.

    slots: host slot -> the strings it may be. source: the disclosure, for SPAN. terms: every known term of the matter.
    scope: the terms that the claim's ancestors introduced. forbid: strings that must never be completed.
    """

    slots: Mapping[str, Sequence[str]]
    source: str = ""
    terms: Sequence[str] = ()
    scope: Sequence[str] = ()
    forbid: Sequence[str] = ()
