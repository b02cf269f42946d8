"""A document to be decoded under its profile: the host's own text, and parts that the model writes in between.

    outline = Outline(Profile.load("reply_zh"), [
        "申请号：", Part("application_number", {"application_number": ["202310000001.1"]}), "\\n", ...,
        Part("inventive", {"section_number": ["二"], "step_closest.step_number": ["一"], "document": ["D1", "D2"]}),
    ])
    state = outline.start(vocabulary, max_chars=1500)

A part is a rule of the profile's grammar. What the host knows binds rules in it: a bound rule is one of the strings given,
`outer.inner` binds `inner` inside `outer` only. The rules that only name a fault are gone (`Profile.rules`), and the words
that the profile refuses are never written. What the profile declares beyond that (numbers in order, one answer to each
objection) is the host's to bind; `engine.grammar.language.read` decides over the finished text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.grammar import Frame, Grammar, State, Vocabulary
from engine.grammar.findings import GrammarError
from engine.grammar.ir import Alt, Chars, Literal, Node, Ref, Repeat, Rule, Rules, Seq
from engine.grammar.language import Profile
from engine.grammar.recogniser import Recogniser

WHOLE = "outline"
_MOST_STRINGS = 4000
_Bound = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Part:
    """One rule, and the strings of the rules bound in it."""

    rule: str
    known: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Outline:
    """Raises GrammarError for a rule that the profile does not have, and for a string that its rule does not allow."""

    def __init__(self, profile: Profile, pieces: Sequence[str | Part], forbid: Sequence[str] = ()):
        self._rules = profile.rules
        self._copies: dict[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], str] = {}
        self._made: list[Rule] = []
        self._slots: dict[str, tuple[str, ...]] = {}
        items = tuple(Literal(piece) if isinstance(piece, str) else self._part(piece) for piece in pieces)
        rules = Rules([Rule(WHOLE, Seq(items)), *self._made, *self._rules.declared], WHOLE, self._rules.slots)
        self.grammar = Grammar(rules, hashlib.sha256(f"{rules.hash(WHOLE)}{self._slots}".encode()).hexdigest())
        words = {*forbid, *refused_words(profile.declared), *self._unknown(profile, pieces)}
        self.frame = Frame(self._slots, forbid=tuple(sorted(words)))

    def start(self, vocabulary: Vocabulary, max_chars: int, min_chars: int = 0) -> State:
        """Raises GrammarError when nothing legal fits."""
        return self.grammar.start(WHOLE, vocabulary, self.frame, max_chars, min_chars)

    def _part(self, part: Part) -> Ref:
        known = {path: tuple(strings) for path, strings in part.known.items()}
        for path, strings in known.items():
            for name in path.split("."):
                if name not in self._rules:
                    raise GrammarError("undefined-rule", f"there is no rule {name} to bind")
            rule = path.rpartition(".")[2]
            for string in strings:
                if Recogniser(self._rules, rule).died_at(string) is not None:
                    raise GrammarError("slot-form", f"{string!r} is no {rule}")
        if part.rule not in self._rules:
            raise GrammarError("undefined-rule", f"there is no rule {part.rule} to write")
        return self._bind(part.rule, known)

    def _bind(self, name: str, known: _Bound) -> Ref:
        """The rule with what is bound at it or below it."""
        if name in known:
            return Ref(self._copy(name, {name: known[name]}, lambda _: Ref(self._slot(name, known[name]))))
        inner = {path.removeprefix(f"{name}."): strings for path, strings in known.items()}
        below = self._below(name)
        reached = {path: strings for path, strings in inner.items() if path.partition(".")[0] in below}
        if not reached:
            return Ref(name)
        return Ref(self._copy(name, reached, lambda body: self._bound(body, reached)))

    def _copy(self, name: str, known: _Bound, body):  # type: ignore[no-untyped-def]
        key = name, tuple(sorted(known.items()))
        if key not in self._copies:
            copy = self._copies[key] = f"{name}~{len(self._copies)}"
            rule = self._rules.rule(name)
            self._made.append(replace(rule, name=copy, body=body(rule.body)))
        return self._copies[key]

    def _bound(self, node: Node, known: _Bound) -> Node:
        if isinstance(node, Ref):
            return self._bind(node.name, known) if node.name in self._rules else node
        if isinstance(node, Seq):
            return replace(node, items=tuple(self._bound(item, known) for item in node.items))
        if isinstance(node, Alt):
            return replace(node, options=tuple(self._bound(option, known) for option in node.options))
        return replace(node, item=self._bound(node.item, known)) if isinstance(node, Repeat) else node

    def _slot(self, name: str, strings: tuple[str, ...]) -> str:
        slot = next((slot for slot, held in self._slots.items() if held == strings), None)
        slot = slot or f"KNOWN_{name.upper()}_{len(self._slots)}"
        self._slots[slot] = strings
        return slot

    def _below(self, name: str) -> set[str]:
        """The rules that stand in a rule, itself left out unless it is recursive."""
        found: set[str] = set()
        left = [name]
        while left:
            for used in self._rules.uses[left.pop()]:
                if used not in found:
                    found.add(used)
                    left.append(used)
        return found

    def _unknown(self, profile: Profile, pieces: Sequence[str | Part]) -> Iterator[str]:
        """Strings of a rule that may only mention what is known, where the host bound it: free text spells them too."""
        for entry in profile.declared.get("semantics", []):
            if entry["is"] != "known" or entry["rule"] not in self._rules:
                continue
            bound = [
                string
                for piece in pieces if isinstance(piece, Part)
                for path, strings in piece.known.items() if path.rpartition(".")[2] == entry["rule"]
                for string in strings
            ]
            for string in strings_of(self._rules, entry["rule"]) if bound else ():
                if not any(known.startswith(string) for known in bound):
                    yield string


def refused_words(declared: Mapping[str, object]) -> set[str]:
    """Words that the profile refuses wherever they stand. Those with guards are left to the reader."""
    found: set[str] = set()
    reasons, semantics = declared["reasons"], declared.get("semantics", ())
    assert isinstance(reasons, Mapping) and isinstance(semantics, Sequence)
    for entry in semantics:
        if entry["is"] == "words" and not entry.get("guards") and not entry.get("whole"):
            if reasons[entry["code"]].get("severity", "refuse") == "refuse":
                found |= {word + char for word in entry["words"] for char in entry.get("followed_by", [""])}
    return found


def strings_of(rules: Rules, name: str) -> list[str]:
    """The strings of a rule. One that goes on without bound ends behind the first round: what begins like that.

    Raises GrammarError when there are too many.
    """
    out = [text for text, _ in _strings(rules, Ref(name))]
    if len(out) > _MOST_STRINGS:
        raise GrammarError("too-large", f"rule {name} has more than {_MOST_STRINGS} strings")
    return out


def _strings(rules: Rules, node: Node) -> list[tuple[str, bool]]:
    """(text, whether it goes on with what follows)."""
    if isinstance(node, Literal):
        return [(node.text, True)]
    if isinstance(node, Chars):
        if sum(high - low + 1 for low, high in node.ranges) > _MOST_STRINGS:
            raise GrammarError("too-large", f"a rule has more than {_MOST_STRINGS} strings")
        return [(chr(code), True) for low, high in node.ranges for code in range(low, high + 1)]
    if isinstance(node, Ref):
        return _strings(rules, rules[node.name])
    if isinstance(node, Alt):
        return [found for option in node.options for found in _strings(rules, option)]
    if isinstance(node, Seq):
        return _joined([_strings(rules, item) for item in node.items])
    once = _strings(rules, node.item)
    out = _joined([once] * node.low)
    more = out
    for _ in range(node.low, node.low + 1 if node.high is None else node.high):
        more = _joined([more, [(text, goes_on and node.high is not None) for text, goes_on in once]])
        out = out + more
    return out


def _joined(parts: Sequence[list[tuple[str, bool]]]) -> list[tuple[str, bool]]:
    out = [("", True)]
    for part in parts:
        ended = [found for found in out if not found[1]]
        open_ = [text for text, goes_on in out if goes_on]
        if len(open_) * len(part) > _MOST_STRINGS:
            raise GrammarError("too-large", f"a rule has more than {_MOST_STRINGS} strings")
        out = ended + [(text + more, goes_on) for text in open_ for more, goes_on in part]
    return out


