"""Guesses of the next tokens, checked by the model in one forward pass: they change the speed, never the text.

    Proposer.propose(view, k) -> Draft      forced text, suffix match, n-gram table, draft model
    Chain                                   shortens a draft: token filter, gram filter; the model verifies the rest
    Controller                              how much of it is worth a wider pass, from measured cost and acceptance
    Speculator                              the three for one text, as the engine's step uses them

One rule accepts a token: it is the token that the plain path would choose there, from the model's own masked distribution
at the random number of that position. The plain path asks the same function of the same bits, so the text with and without
speculation is the same token for token, greedy and sampled, whatever was proposed; the distribution of the text is therefore
the model's. The usual rejection rule for sampled drafts (accept with min(1, p/q), else draw from the residual) keeps the
distribution too, but makes the text depend on the draft, so switching speculation on, moving to another node or a grown
n-gram table would change what a seed writes. Its gain is small here: it accepts more only where a sampled draft is close
to the model without agreeing on the token, and a draft model that uses the same random number per position agrees more.
"""

from engine.speculation.chain import Chain
from engine.speculation.controller import Controller
from engine.speculation.draft_model import DraftMismatch, DraftModel
from engine.speculation.forced import Forced
from engine.speculation.ngram import NgramProposer, NgramTable
from engine.speculation.proposer import Draft, Proposer, View
from engine.speculation.speculator import Speculation, Speculator
from engine.speculation.suffix import SuffixMatch

__all__ = [
    "Chain",
    "Controller",
    "Draft",
    "DraftMismatch",
    "DraftModel",
    "Forced",
    "NgramProposer",
    "NgramTable",
    "Proposer",
    "Speculation",
    "Speculator",
    "SuffixMatch",
    "View",
]
