"""SHIFT / REDUCE / ACCEPT of a finished text, by a memoised parse over the intermediate form.

Ambiguity is resolved by priority: earlier alternatives first, repetition as long as possible, longer slot strings first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.grammar.ir import Alt, Chars, Literal, Node, Ref, Repeat, Rules, Seq
from engine.grammar.words import CLAUSE_BREAKS

Event = dict[str, object]


class _Parse:
    def __init__(self, rules: Rules, slots: Mapping[str, Sequence[str]], source: str, text: str):
        self.rules, self.source, self.text = rules, source, text
        self.slots = {name: sorted(set(strings), key=len, reverse=True) for name, strings in slots.items()}
        self._ends: dict[tuple[int, int], list[int]] = {}

    def ends(self, node: Node, at: int) -> list[int]:
        key = (id(node), at)
        if key not in self._ends:
            self._ends[key] = list(dict.fromkeys(self._find(node, at)))
        return self._ends[key]

    def _find(self, node: Node, at: int) -> list[int]:
        text = self.text
        if isinstance(node, Literal):
            return [at + len(node.text)] if text.startswith(node.text, at) else []
        if isinstance(node, Chars):
            fits = at < len(text) and any(low <= ord(text[at]) <= high for low, high in node.ranges)
            return [at + 1] if fits else []
        if isinstance(node, Ref):
            if node.name in self.rules:
                return self.ends(self.rules[node.name], at)
            if node.name == "SPAN":
                return self._spans(at)
            return [at + len(item) for item in self.slots.get(node.name, ()) if text.startswith(item, at)]
        if isinstance(node, Alt):
            return [end for option in node.options for end in self.ends(option, at)]
        if isinstance(node, Seq):
            fronts = [at]
            for item in node.items:
                fronts = list(dict.fromkeys(end for front in fronts for end in self.ends(item, front)))
            return fronts
        found, fronts, count = ([at] if node.low == 0 else []), [at], 0
        seen = {at}
        while fronts and (node.high is None or count < node.high):
            count += 1
            fronts = [e for e in dict.fromkeys(e for f in fronts for e in self.ends(node.item, f)) if e not in seen]
            seen.update(fronts)
            if count >= node.low:
                found += fronts
        return sorted(set(found), reverse=True)

    def _spans(self, at: int) -> list[int]:
        end = at
        while end < len(self.text) and self.text[end] not in CLAUSE_BREAKS and self.text[at : end + 1] in self.source:
            end += 1
        return list(range(end, at, -1))

    def events(self, node: Node, at: int, end: int, out: list[Event]) -> None:
        """Appends the events of the first derivation of text[at:end] from node."""
        if isinstance(node, Literal | Chars):
            out.append({"op": "SHIFT", "text": self.text[at:end], "start": at, "end": end})
        elif isinstance(node, Ref) and node.name in self.rules:
            self.events(self.rules[node.name], at, end, out)
            out.append({"op": "REDUCE", "rule": node.name, "start": at, "end": end})
        elif isinstance(node, Ref):
            out.append({"op": "SHIFT", "slot": node.name, "text": self.text[at:end], "start": at, "end": end})
        elif isinstance(node, Alt):
            option = next(option for option in node.options if end in self.ends(option, at))
            self.events(option, at, end, out)
        elif isinstance(node, Seq):
            self._sequence(node.items, at, end, out)
        else:
            self._repetition(node, at, end, out)

    def _sequence(self, items: tuple[Node, ...], at: int, end: int, out: list[Event]) -> None:
        reach = [{at}]
        for item in items:
            reach.append({e for front in reach[-1] for e in self.ends(item, front)})
        cuts, goal = [end], end
        for index in range(len(items) - 1, -1, -1):
            fronts = [front for front in reach[index] if goal in self.ends(items[index], front)]
            goal = max(fronts)
            cuts.append(goal)
        cuts.reverse()
        for item, left, right in zip(items, cuts, cuts[1:], strict=False):
            self.events(item, left, right, out)

    def _repetition(self, node: Repeat, at: int, end: int, out: list[Event]) -> None:
        came: dict[int, int] = {at: at}
        fronts = [at]
        while fronts and end not in came:
            following = []
            for front in fronts:
                for stop in self.ends(node.item, front):
                    if stop not in came:
                        came[stop] = front
                        following.append(stop)
            fronts = following
        if end == at:
            return
        cuts = [end]
        while cuts[-1] != at:
            cuts.append(came[cuts[-1]])
        cuts.reverse()
        for left, right in zip(cuts, cuts[1:], strict=False):
            self.events(node.item, left, right, out)


def trace(
    rules: Rules, start: str, text: str, slots: Mapping[str, Sequence[str]], source: str = ""
) -> list[Event]:
    """The events of `text` under rule `start`. Raises ValueError when the text is not in the language."""
    parse = _Parse(rules, slots, source, text)
    if len(text) not in parse.ends(rules[start], 0):
        raise ValueError(f"the text is not a {start}")
    out: list[Event] = []
    parse.events(Ref(start), 0, len(text), out)
    out.append({"op": "ACCEPT", "rule": start, "start": 0, "end": len(text)})
    return out
