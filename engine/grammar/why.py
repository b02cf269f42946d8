"""Why a text is refused: which stacks died, or which forbidden word, term or register said no, in Chinese and English.

    why(grammar, "independent", frame, text, token)       the refusal of `token` behind `text`; None when it may follow
    recheck(reply, grammar, "independent", frame)         every refusal found in a finished text, for texts from elsewhere
    with_refused(events, grammar, "independent", frame)   a trace with what its slots could not be instead

Form and forbidden words are read by the parser of the trace and by search, apart from the automata that decode; terms,
budgets and dead ends are asked of the automata themselves. An empty token is the end of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import NamedTuple

from engine.grammar import Frame, Grammar, State, Vocabulary
from engine.grammar.export import uncounted
from engine.grammar.trace import Event, Item, Parser, Refused

SHOWN_ITEMS = SHOWN_REFUSED = 3
# More characters than any text has, for a request without a budget.
UNBOUNDED = 1 << 30


class _Words(NamedTuple):
    zh: str
    en: str


WORDING = {
    "form": _Words("此处不能写“{text}”：{items_zh}", "{text!r} cannot stand here: {items}"),
    "count": _Words("规则 {rule} 的重复次数已满，不能再写“{text}”", "the repetition in rule {rule} is full, {text!r} is one too many"),
    "end": _Words("此处不能结束：{items_zh}", "the text cannot end here: {items}"),
    "word": _Words("“{word}”是禁用词", "{word!r} is a forbidden word"),
    "unknown-term": _Words("“所述”之后的“{term}”不是已知术语", "{term!r} after 所述 is no known term"),
    "not-introduced": _Words("“所述”之后的“{term}”：{terms} 在此处尚未引入", "{term!r} after 所述: {terms} not introduced so far"),
    "unmarked-term": _Words("“{term}”已经引入，须写“所述{term}”", "{term!r} is in scope already, write 所述{term}"),
    "open-term": _Words("“所述”之后的术语“{term}”尚未写完", "the term {term!r} after 所述 is not finished"),
    "dead-end": _Words("写“{text}”之后，没有任何合法的结尾", "no legal ending is left behind {text!r}"),
    "budget": _Words(
        "字数预算为 {budget}，写“{text}”之后至少还需 {needed} 字，只剩 {left} 字",
        "the budget is {budget} characters: behind {text!r} at least {needed} more are needed, {left} are left",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Refusal:
    """What refuses text[start:end]. `items`: the ways to go on that were open there, by priority (form, count, end)."""

    code: str
    start: int
    end: int
    values: Mapping[str, object] = field(default_factory=dict)
    items: tuple[Item, ...] = ()

    def text(self, language: str = "en") -> str:
        shown = {"items": _items(self.items, "en"), "items_zh": _items(self.items, "zh")}
        return getattr(WORDING[self.code], language).format(**shown, **self.values)

    def as_json(self) -> dict[str, object]:
        items = [{"rules": item.rules, "expects": item.expects} for item in self.items]
        words = {language: self.text(language) for language in ("zh", "en")}
        return {"code": self.code, "start": self.start, "end": self.end, "text": words, "items": items}


def _items(items: tuple[Item, ...], language: str) -> str:
    parts = []
    for rules, expects in items[:SHOWN_ITEMS]:
        path = " > ".join(rules)
        what = expects or {"zh": "结束", "en": "the end"}[language]
        parts.append(f"{path} 处须为 {what}".lstrip() if language == "zh" else f"{path} expects {what}".lstrip())
    more = len(items) - SHOWN_ITEMS
    if more > 0:
        parts.append(f"另有 {more} 种" if language == "zh" else f"{more} more")
    return ("；" if language == "zh" else "; ").join(parts)


def why(
    grammar: Grammar, rule: str, frame: Frame, text: str, token: str, max_chars: int | None = None
) -> Refusal | None:
    """The first refusal in `text` and then `token`; None when the token may follow. Raises GrammarError as `start` does."""
    whole = text + token
    found = [*_form(grammar, rule, frame, whole, not token), *_words(frame, whole)]
    first = min(found, key=lambda refusal: refusal.end, default=None)
    # Up to there only terms, budget and dead ends are left to refuse.
    readable = whole if first is None else whole[: first.end - (first.end > first.start)]
    return _read(grammar, rule, frame, readable, first is None and not token, max_chars) or first


def recheck(text: str, grammar: Grammar, rule: str, frame: Frame, max_chars: int | None = None) -> list[Refusal]:
    """Refusals in the order of their places, empty for a legal text: where the form dies, every forbidden word, the first
    term that is refused, the budget. Raises GrammarError as `start` does."""
    form = list(_form(grammar, rule, frame, text, True))
    found = [*form, *_words(frame, text)]
    readable = text[: form[0].start] if form else text
    read = _read(grammar, rule, replace(frame, forbid=()), readable, not form, max_chars)
    return sorted([*found, *([read] if read else [])], key=lambda refusal: (refusal.start, refusal.end))


def with_refused(events: Sequence[Event], grammar: Grammar, rule: str, frame: Frame) -> list[Event]:
    """The trace of a legal text, its slots with `refused`: strings that the slot holds, but a word or a term forbids there,
    each with its reason; SHOWN_REFUSED at most. Raises GrammarError as `start` does."""
    start = grammar.start(rule, bytes_vocabulary(), frame, UNBOUNDED)
    state, out = start, []
    for event in events:
        if event["op"] == "SHIFT":
            found = (_instead(start, state, frame, string) for string in frame.slots.get(str(event.get("slot")), ()))
            refused = list(islice((refusal for refusal in found if refusal), SHOWN_REFUSED))
            event = {**event, "refused": refused} if refused else event
            state = start.rewritten(state.text + str(event["text"])) or state
        out.append(event)
    return out


def _instead(start: State, state: State, frame: Frame, string: str) -> dict[str, object] | None:
    for size in range(1, len(string) + 1):
        if state.space.feed(state.point, string[:size]) >= 0:
            continue
        text = state.text + string[:size]
        word = next((word for word in frame.forbid if word and text.endswith(word)), None)
        refusal = Refusal("word", len(text) - len(word), len(text), {"word": word}) if word else _term(start, text, len(text) - 1)
        return {"token": string, **refusal.as_json()} if refusal else None
    return None


def _form(grammar: Grammar, rule: str, frame: Frame, text: str, ended: bool) -> Iterator[Refusal]:
    parser = grammar.parser(rule, frame)
    try:
        parser.feed(text)
    except Refused as refused:
        at = refused.at
        items = tuple(parser.items())
        char = text[at]
        if _fits(Grammar(uncounted(grammar.rules, 1), ""), rule, frame, text[: at + 1]):
            yield Refusal("count", at, at + 1, {"rule": items[0].rules[-1], "text": char}, items)
        else:
            yield Refusal("form", at, at + 1, {"text": char}, items)
        return
    if ended and not parser.accepting:
        yield Refusal("end", len(text), len(text), {}, tuple(parser.items()))


def _fits(grammar: Grammar, rule: str, frame: Frame, text: str) -> bool:
    parser: Parser = grammar.parser(rule, frame)
    try:
        parser.feed(text)
    except Refused:
        return False
    return True


def _words(frame: Frame, text: str) -> Iterator[Refusal]:
    for word in dict.fromkeys(frame.forbid):
        at = text.find(word) if word else -1
        while at >= 0:
            yield Refusal("word", at, at + len(word), {"word": word})
            at = text.find(word, at + 1)


def _read(grammar: Grammar, rule: str, frame: Frame, text: str, ended: bool, max_chars: int | None) -> Refusal | None:
    """What the automata refuse in a text that has its form and no forbidden word."""
    budget = UNBOUNDED if max_chars is None else max_chars
    state = grammar.start(rule, bytes_vocabulary(), frame, budget)
    at = len(text)
    if _point(state, text) < 0:
        low, at = 0, len(text)
        while low < at:
            middle = (low + at) // 2
            low, at = (middle + 1, at) if _point(state, text[:middle]) >= 0 else (low, middle)
        return _term(state, text, at - 1) or Refusal("dead-end", at - 1, at, {"text": text[at - 1]})
    for size in range(len(text) + 1) if budget < UNBOUNDED else ():
        needed = state.space.length(_point(state, text[:size]))
        if size + needed > budget:
            last = text[max(size - 1, 0) : size]
            return Refusal("budget", max(size - 1, 0), size, {"budget": budget, "needed": needed, "left": budget - size, "text": last})
    here = state.rewritten(text)
    if ended and here is not None and not here.accepting:
        return _unfinished(here)
    return None


def _point(state: State, text: str) -> int:
    return state.space.feed(state.origin, text)


def _term(state: State, text: str, at: int) -> Refusal | None:
    """What the terms have against text[at], the text before it being legal."""
    before = state.rewritten(text[:at])
    if before is None or not state.longest_term:
        return None
    char, terms = text[at], state.space.terms.texts
    if before.open_use is not None:
        begun = before.open_use
        meant = [term for term in terms if term.startswith(begun + char)]
        if meant:
            values = {"term": begun + char, "terms": "、".join(meant)}
            return Refusal("not-introduced", at - len(begun), at + 1, values)
        if begun not in _in_scope(before):
            return Refusal("unknown-term", at - len(begun), at + 1, {"term": begun + char})
    written = text[: at + 1] if before.open_use is None else char
    for term in sorted(_in_scope(before), key=len, reverse=True):
        for size in range(min(len(term), len(written)), 0, -1):
            if written.endswith(term[:size]):
                return Refusal("unmarked-term", at + 1 - size, at + 1, {"term": term})
    return _unmarked(before)


def _in_scope(state: State) -> list[str]:
    """The terms that have been introduced, the one being written apart."""
    scope = state.space.reading(state.point)[2]
    return [term for at, term in enumerate(state.space.terms.texts) if int(scope[at >> 6]) >> (at & 63) & 1]


def _unmarked(state: State) -> Refusal | None:
    """A term in scope that has been written without 所述."""
    candidate = state.space.reading(state.point)[1]
    if candidate < 0 or state.space.terms.texts[candidate] not in _in_scope(state):
        return None
    term = state.space.terms.texts[candidate]
    at = state.text.rfind(term)
    return Refusal("unmarked-term", at, at + len(term), {"term": term})


def _unfinished(state: State) -> Refusal | None:
    if state.open_use is not None:
        size = len(state.text)
        return Refusal("open-term", size - len(state.open_use), size, {"term": state.open_use})
    return _unmarked(state)


@cache
def bytes_vocabulary() -> Vocabulary:
    """A token a byte, for texts that no model writes."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None], [256])
