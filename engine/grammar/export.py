"""A grammar under one request, written out for other engines.

    text = export(grammar.rules, "independent", frame, "l2")

    l0      readable EBNF, rule by rule: XGrammar, in vLLM (`grammar`) and SGLang (`ebnf`)
    l1      our minimal automaton as right-linear EBNF: the same texts, masks in microseconds there
    l2      l1 without the texts that complete a forbidden word (the automaton times Aho and Corasick's, minimised)
    gbnf    l0 for llama.cpp
    regex   one regular expression, as a Lark file for llguidance; its delimiters stand inside the terminal

What a form cannot say is listed in the head of the file, in Chinese and English; `engine.grammar.why.recheck` reads what
comes back with the full grammar. `ebnf`, `right_linear` and `regex` write rules that have no slots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.grammar.compiler import COUNTED, MAX_STATES, compile_rule
from engine.grammar.dfa import LAST, Dfa, minimise, reduced
from engine.grammar.findings import GrammarError, StateBudgetExceeded
from engine.grammar.form import Form
from engine.grammar.ir import (
    Alt,
    Chars,
    Literal,
    Node,
    Ref,
    Repeat,
    Rule,
    Rules,
    Seq,
    char_ranges,
    children,
)
from engine.grammar.language import without
from engine.grammar.semantics import Frame
from engine.grammar.words import CLAUSE_BREAKS

FORMS = ("l0", "l1", "l2", "gbnf", "regex")
# llama.cpp refuses a larger least number, and silently forgets a larger greatest one.
GBNF_MOST = 2000
MAX_REGEX = 1 << 22
_NOTHING = "nothing"
_Ranges = tuple[tuple[int, int], ...]
_Opened = tuple[tuple[str, int], ...]


def export(rules: Rules, start: str, frame: Frame, form: str) -> str:
    """The file as text. Raises GrammarError for an unknown form, an undefined start, a slot without strings, and rules too
    large for the form; StateBudgetExceeded from the compiler."""
    if form not in FORMS:
        raise GrammarError("form", f"there is no form {form}; choose one of {', '.join(FORMS)}")
    bound = bind(rules, start, frame)
    kept = with_repeats(bound, _for_llama) if form == "gbnf" else uncounted(bound, COUNTED) if form == "l2" else bound
    dropped = [name for name in bound if kept[name] != bound[name]]
    mark = "//" if form == "regex" else "#"
    head = "\n".join(f"{mark} {line}" for line in _head(start, frame, form, "SPAN" in bound, dropped))
    return f"{head}\n\n{_body(kept, start, frame, form)}"


def _body(bound: Rules, start: str, frame: Frame, form: str) -> str:
    if form in ("l0", "gbnf"):
        return ebnf(bound, start)
    if form == "regex":
        return f"start: /{regex(bound, start)}/\n"
    dfa = compile_rule(bound, start)
    return right_linear(_times(dfa, frame.forbid, start) if form == "l2" and frame.forbid else dfa)


def _head(start: str, frame: Frame, form: str, spans: bool, dropped: list[str]) -> Iterator[str]:
    yield f"{start}: {form}"
    yield "本文件不含以下约束，文本返回后须用完整文法复核"
    yield "Not in this file, read each text again with the full grammar:"
    yield "- 长度预算（字数、词元数） · budgets, in characters and tokens"
    if frame.terms:
        yield f"- 术语（{len(frame.terms)} 个）：“所述”之后须为已引入的术语，已引入的术语须写“所述”"
        yield f"  terms ({len(frame.terms)}): after 所述 a term in scope, a term in scope only after 所述"
    if spans:
        yield "- 引文：SPAN 须为交底书原文的片段，此处放宽为原文用字 · SPAN: a stretch of the source, here any of its characters"
    if frame.forbid and form != "l2":
        yield f"- 禁用词（{len(frame.forbid)} 个） · forbidden words ({len(frame.forbid)})"
    if dropped:
        yield f"- 重复次数的界限，规则 · bounds of repetitions, in rules: {', '.join(dropped)}"


def bind(rules: Rules, start: str, frame: Frame) -> Rules:
    """The rules that `start` uses, every slot a rule of its strings, recursion written out to its depth."""
    if start not in rules:
        raise GrammarError("undefined-rule", f"there is no start rule {start}")
    for loop in rules.unbounded:
        raise GrammarError("recursion", f"{loop[0]}: recursion has no depth bound", *rules.rule(loop[0]).at)
    return _Binding(rules, frame).rules(start)


class _Binding:
    def __init__(self, rules: Rules, frame: Frame):
        self._rules, self._frame = rules, frame
        self._group = {name: group for group in rules.components for name in group}
        self._made: dict[str, Node] = {}
        self._names: dict[tuple[str, _Opened], str] = {}

    def rules(self, start: str) -> Rules:
        self._rule(start, ())
        made = without(Rules(Rule(name, body) for name, body in self._made.items()), {_NOTHING})
        if start not in made:
            raise GrammarError("dead-end", f"no text of rule {start} is possible with these slots")
        kept, todo = {start}, [start]
        while todo:
            for used in made.uses[todo.pop()]:
                if used not in kept:
                    kept.add(used)
                    todo.append(used)
        return Rules((made.rule(name) for name in made if name in kept), start)

    def _rule(self, name: str, opened: _Opened) -> str:
        counts = {used: count for used, count in opened if used in self._group[name]}
        depth = self._rules.rule(name).max_depth if name in self._rules.recursive else None
        if depth is not None:
            if counts.get(name, 0) > depth:
                return _NOTHING
            counts[name] = counts.get(name, 0) + 1
        key = name, tuple(sorted(counts.items()))
        if key not in self._names:
            new = self._names[key] = name if name not in self._made else f"{name}-{len(self._names)}"
            self._made[new] = Seq(())
            self._made[new] = self._node(self._rules[name], key[1])
        return self._names[key]

    def _node(self, node: Node, opened: _Opened) -> Node:
        if isinstance(node, Ref):
            return Ref(self._rule(node.name, opened) if node.name in self._rules else self._slot(node.name))
        if isinstance(node, Alt):
            return replace(node, options=tuple(self._node(option, opened) for option in node.options) or (Ref(_NOTHING),))
        if isinstance(node, Seq):
            return replace(node, items=tuple(self._node(item, opened) for item in node.items))
        if isinstance(node, Repeat):
            return Seq(()) if node.high == 0 else replace(node, item=self._node(node.item, opened))
        return Ref(_NOTHING) if isinstance(node, Chars) and not node.ranges else node

    def _slot(self, name: str) -> str:
        if name not in self._made:
            self._made[name] = self._strings(name)
        return name

    def _strings(self, name: str) -> Node:
        if name == "SPAN":
            ranges = char_ranges((ord(char), ord(char)) for char in self._frame.source if char not in CLAUSE_BREAKS)
            return Repeat(Chars(ranges), 1, None) if ranges else Ref(_NOTHING)
        if name not in self._frame.slots:
            raise GrammarError("unbound-slot", f"the request gives no strings for {name}: add {name} to the slots")
        strings = sorted(dict.fromkeys(self._frame.slots[name]), key=len, reverse=True)
        if "" in strings:
            raise GrammarError("empty-slot", f"the slot {name} holds an empty string")
        return Alt(tuple(map(Literal, strings))) if strings else Ref(_NOTHING)


def uncounted(rules: Rules, most: int) -> Rules:
    """The rules in which repeats of at least `most` optional rounds have no upper bound."""

    def without_bound(node: Repeat) -> Repeat:
        return replace(node, high=None) if node.high is not None and node.high - node.low >= most else node

    return with_repeats(rules, without_bound)


def _for_llama(node: Repeat) -> Repeat:
    high = node.high if node.high is None or node.high <= GBNF_MOST else None
    return replace(node, low=min(node.low, GBNF_MOST), high=high)


def with_repeats(rules: Rules, change: Callable[[Repeat], Repeat]) -> Rules:
    """The rules with every repeat changed, inner ones first."""

    def changed(node: Node) -> Node:
        if isinstance(node, Seq):
            return replace(node, items=tuple(map(changed, node.items)))
        if isinstance(node, Alt):
            return replace(node, options=tuple(map(changed, node.options)))
        return change(replace(node, item=changed(node.item))) if isinstance(node, Repeat) else node

    return Rules((replace(rules.rule(name), body=changed(rules[name])) for name in rules), rules.start, rules.slots)


# EBNF, in what XGrammar and llama.cpp have in common.


def ebnf(rules: Rules, start: str) -> str:
    """The rules as they are. `start` is called root."""
    names: dict[str, str] = {}
    for name in rules:
        plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "rule"
        plain = plain if plain[0].isalpha() else f"r{plain}"
        names[name] = plain if plain not in {"root", *names.values()} else f"{plain}-{len(names)}x"
    reached, todo = [start], [start]
    while todo:
        for used in rules.uses[todo.pop()]:
            if used not in reached:
                reached.append(used)
                todo.append(used)
    lines = [f"root ::= {names[start]}", *(f"{names[name]} ::= {spelt(rules[name], names)}" for name in rules if name in reached)]
    return "\n".join(lines) + "\n"


def spelt(node: Node, names: Mapping[str, str] | None = None, inside: bool = False) -> str:
    """A node in EBNF; `inside` a sequence or a repetition. Slots keep their names."""
    if isinstance(node, Literal):
        return f'"{_quoted(node.text)}"'
    if isinstance(node, Chars):
        return _set(node.ranges)
    if isinstance(node, Ref):
        if names is not None and node.name not in names:
            raise GrammarError("unbound-slot", f"{node.name} is filled by the request: export with its slots")
        return names[node.name] if names else node.name
    if isinstance(node, Repeat):
        item = spelt(node.item, names, True)
        return (item if isinstance(node.item, Chars | Ref) or item[0] == "(" else f"({item})") + _bounds(node)
    parts = [spelt(child, names, True) for child in children(node)]
    if not parts:
        return '""'
    text = (" | " if isinstance(node, Alt) else " ").join(parts)
    return f"({text})" if inside and len(parts) > 1 else text


def _bounds(node: Repeat) -> str:
    known = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.low, node.high))
    return known or f"{{{node.low},{'' if node.high is None else node.high}}}"


def _code(char: str) -> str:
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"


def _quoted(text: str) -> str:
    return "".join({'"': '\\"', "\\": "\\\\"}.get(char) or (char if char.isprintable() else _code(char)) for char in text)


def _set(ranges: _Ranges, escaped: str = '[]^-\\"') -> str:
    def shown(code: int) -> str:
        char = chr(code)
        return _code(char) if char in escaped or not char.isprintable() or char == " " else char

    return "[" + "".join(shown(low) if low == high else f"{shown(low)}-{shown(high)}" for low, high in ranges) + "]"


# Right-linear rules out of an automaton.


def right_linear(automaton: Dfa | Form) -> str:
    """EBNF with a rule for each state. Raises GrammarError for plugs that are no counters of a Dfa."""
    counters = automaton.counters if isinstance(automaton, Dfa) else {}
    for name in automaton.plugs:
        if name not in counters:
            raise GrammarError("unbound-slot", f"{name} is filled by the request: export with its slots")
    counted = {}
    lines = ["root ::= s0"]
    for index, (name, counter) in enumerate(counters.items()):
        single = _single(counter.item)
        counted[name] = f"{_set(single) if single else f'k{index}s0'}{{1,{counter.high}}}"
    lines += _states(automaton, "s", counted)
    for index, counter in enumerate(counters.values()):
        if not _single(counter.item):
            lines += _states(counter.item, f"k{index}s", {})
    return "\n".join(lines) + "\n"


def _single(item: Dfa) -> _Ranges:
    """The characters of an automaton of one-character texts; () when it has others."""
    moves = _moves(item, 0)
    return moves[1] if len(item.table) == 2 and list(moves) == [1] and not _moves(item, 1) else ()


def _moves(automaton: Dfa | Form, state: int) -> dict[int, _Ranges]:
    """Where characters lead from a state."""
    bounds = [*automaton.bounds.tolist(), LAST]
    found: dict[int, list[tuple[int, int]]] = {}
    for at, target in enumerate(automaton.table[state, automaton.columns].tolist()):
        if target >= 0:
            found.setdefault(target, []).append((bounds[at], bounds[at + 1] - 1))
    return {target: char_ranges(ranges) for target, ranges in found.items()}


def _states(automaton: Dfa | Form, prefix: str, counted: Mapping[str, str]) -> Iterator[str]:
    """A rule a state; a chain of single characters is one literal."""
    states = range(len(automaton.table))
    moves = [_moves(automaton, state) for state in states]
    calls: list[list[tuple[str, int]]] = [[] for _ in states]
    for at, name in enumerate(automaton.plugs):
        for state in np.flatnonzero(automaton.table[:, automaton.classes + at] >= 0).tolist():
            calls[state].append((counted[name], int(automaton.table[state, automaton.classes + at])))

    def chain(text: str, to: int) -> tuple[str, int]:
        passed = set()
        while to not in passed and not automaton.accepting[to] and not calls[to] and len(moves[to]) == 1:
            passed.add(to)
            ((following, ranges),) = moves[to].items()
            if len(ranges) > 1 or ranges[0][0] < ranges[0][1]:
                break
            text, to = text + chr(ranges[0][0]), following
        return text, to

    todo, told = [0], {0}
    for state in todo:
        options = list(calls[state])
        for to, ranges in moves[state].items():
            if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
                text, to = chain(chr(ranges[0][0]), to)
                options.append((f'"{_quoted(text)}"', to))
            else:
                options.append((_set(ranges), to))
        for _, to in options:
            if to not in told:
                told.add(to)
                todo.append(to)
        parts = [f"{what} {prefix}{to}" for what, to in options] + ['""'] * bool(automaton.accepting[state])
        yield f"{prefix}{state} ::= {' | '.join(parts)}"


def _times(dfa: Dfa, words: Sequence[str], owner: str) -> Dfa:
    """The texts of the automaton that complete none of the words."""
    goto, bad, letters = _aho_corasick(words)
    codes = np.array([ord(char) for char in letters], np.int32)
    own = dfa.column_of(codes)
    bounds = np.unique(np.concatenate([dfa.bounds, codes, codes + 1])).astype(np.int32)
    bounds = bounds[bounds < LAST]
    columns = dfa.column_of(bounds).astype(np.int32)
    columns[np.searchsorted(bounds, codes)] = dfa.classes + np.arange(len(codes))
    # A class all of whose characters are letters of the words is no longer used.
    form = np.where(np.isin(np.arange(dfa.classes), columns), dfa.table[:, : dfa.classes], -1)
    states = {(0, 0): 0}
    rows: list[np.ndarray] = []
    accepting: list[bool] = []
    queue = [(0, 0)]
    for state, word in queue:
        targets = np.concatenate([form[state], np.where(bad[word], -1, dfa.table[state, own])])
        after = np.concatenate([np.zeros(dfa.classes, np.int64), goto[word]])
        row = np.full(len(targets), -1, np.int32)
        for at in np.flatnonzero(targets >= 0).tolist():
            pair = int(targets[at]), int(after[at])
            if pair not in states:
                states[pair] = len(states)
                queue.append(pair)
            row[at] = states[pair]
        if len(states) > MAX_STATES:
            raise StateBudgetExceeded(owner, len(states), MAX_STATES, "forbidden words times the form")
        rows.append(row)
        accepting.append(bool(dfa.accepting[state]))
    table, accept = minimise(np.stack(rows), np.array(accepting))
    if not accept.any():
        raise GrammarError("dead-end", f"every text of rule {owner} completes a forbidden word")
    return reduced(bounds, columns, table, accept, (), {})


def _aho_corasick(words: Sequence[str]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """(next state int64[states, letters], whether that step completes a word, the letters)."""
    heads = sorted({word[:size] for word in words for size in range(len(word))}, key=len)
    number = {head: at for at, head in enumerate(heads)}
    letters = sorted({char for word in words for char in word})
    goto = np.zeros((len(heads), len(letters)), np.int64)
    bad = np.zeros((len(heads), len(letters)), bool)
    whole = frozenset(words)
    for at, head in enumerate(heads):
        for column, char in enumerate(letters):
            tails = [(head + char)[cut:] for cut in range(len(head) + 1)]
            bad[at, column] = any(tail in whole for tail in tails)
            goto[at, column] = next((number[tail] for tail in tails if tail in number), 0)
    return goto, bad, letters


# One regular expression.


def regex(rules: Rules, start: str) -> str:
    """The rules as one expression, read alike by Rust's and Python's syntax. Raises GrammarError beyond MAX_REGEX."""
    known: dict[str, str] = {}

    def pattern(node: Node) -> str:
        if isinstance(node, Literal):
            return "".join(char if char.isalnum() or ord(char) > 0x2E7F and char.isprintable() else _code(char) for char in node.text)
        if isinstance(node, Chars):
            return _set(node.ranges, "[]^-\\/&~|")
        if isinstance(node, Ref):
            if node.name not in rules:
                raise GrammarError("unbound-slot", f"{node.name} is filled by the request: export with its slots")
            if node.name not in known:
                known[node.name] = f"(?:{pattern(rules[node.name])})"
            return known[node.name]
        if isinstance(node, Repeat):
            return f"(?:{pattern(node.item)}){_bounds(node)}"
        text = ("|" if isinstance(node, Alt) else "").join(map(pattern, children(node)))
        if len(text) > MAX_REGEX:
            raise GrammarError("too-large", f"rule {start} is too large for one regular expression; export it as l1")
        return f"(?:{text})" if isinstance(node, Alt) else text

    return pattern(rules[start])
