"""The meaning of rules by brute force, and random rules: what readers and checks are held against.

    texts(rules, "r", 3)           every text of rule r with at most three characters, by iteration to a fixed point
    fits(rules, "root", text)      whether the text is one of the rule's (rules without left recursion)
    grammars()                     random rules over the letters a and b (Hypothesis)
    as_g4(rules), as_lark(rules)   rules written out
"""

from __future__ import annotations

from hypothesis import strategies as st

from engine.grammar.ir import Alt, Chars, Literal, Node, Ref, Repeat, Rule, Rules, Seq, children

LETTERS = "ab"


def texts(rules: Rules, start: str, most: int) -> set[str]:
    """Sets contribute the letters a and b only; a host slot has no text."""
    known: dict[str, set[str]] = {name: set() for name in rules}
    while True:
        following = {name: _texts(rules[name], known, most) for name in rules}
        if following == known:
            return known[start]
        known = following


def _texts(node: Node, known: dict[str, set[str]], most: int) -> set[str]:
    if isinstance(node, Literal):
        return {node.text} if len(node.text) <= most else set()
    if isinstance(node, Chars):
        return {char for char in LETTERS if any(low <= ord(char) <= high for low, high in node.ranges)}
    if isinstance(node, Ref):
        return known.get(node.name, set())
    if isinstance(node, Alt):
        return set().union(*(_texts(option, known, most) for option in node.options))
    if isinstance(node, Seq):
        out = {""}
        for item in node.items:
            out = _joined(out, _texts(item, known, most), most)
        return out
    item, out, rounds = _texts(node.item, known, most), set(), {""}
    for count in range(node.high + 1 if node.high is not None else max(node.low, most) + 1):
        if count >= node.low:
            out |= rounds
        rounds = _joined(rounds, item, most)
    return out


def _joined(first: set[str], second: set[str], most: int) -> set[str]:
    return {a + b for a in first for b in second if len(a + b) <= most}


def derivable(rules: Rules) -> set[str]:
    """Rules that have a text of any length."""
    known: set[str] = set()

    def has_text(node: Node) -> bool:
        if isinstance(node, Ref):
            return node.name in known
        if isinstance(node, Alt):
            return any(map(has_text, node.options))
        return isinstance(node, Repeat) and node.low == 0 or all(map(has_text, children(node)))

    while True:
        following = {name for name in rules if has_text(rules[name])}
        if following == known:
            return known
        known = following


def fits(rules: Rules, start: str, text: str) -> bool:
    memo: dict[tuple[int, int], frozenset[int]] = {}

    def ends(node: Node, at: int) -> frozenset[int]:
        if (id(node), at) not in memo:
            memo[id(node), at] = frozenset(find(node, at))
        return memo[id(node), at]

    def find(node: Node, at: int) -> set[int]:
        if isinstance(node, Literal):
            return {at + len(node.text)} if text.startswith(node.text, at) else set()
        if isinstance(node, Chars):
            return {at + 1} if at < len(text) and any(a <= ord(text[at]) <= b for a, b in node.ranges) else set()
        if isinstance(node, Ref):
            return set(ends(rules[node.name], at))
        if isinstance(node, Alt):
            return {end for option in node.options for end in ends(option, at)}
        if isinstance(node, Seq):
            fronts = {at}
            for item in node.items:
                fronts = {end for front in fronts for end in ends(item, front)}
            return fronts
        found, fronts, count = set(), {at}, 0
        while fronts and (node.high is None or count <= node.high):
            found |= fronts if count >= node.low else set()
            fronts = {end for front in fronts for end in ends(node.item, front)} - (found if count >= node.low else set())
            count += 1
        return found

    return len(text) in ends(rules[start], 0)


NAMES = ("r", "s", "t")


def nodes(names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Node]:
    """Nodes as the readers make them: no sequence or choice of one, no empty literal."""
    leaves = st.one_of(
        st.text(LETTERS, min_size=1, max_size=2).map(Literal), st.sampled_from(names).map(Ref), st.just(Seq(()))
    )

    def grow(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        counts = st.sampled_from([(0, 1), (0, None), (1, None), (2, 3), (0, 2), (2, 2), (2, None)])
        return st.one_of(several.map(Seq), several.map(Alt), st.builds(lambda n, c: Repeat(n, *c), inner, counts))

    return st.recursive(leaves, grow, max_leaves=6)


@st.composite
def grammars(draw: st.DrawFn, recursive: bool = True) -> Rules:
    """Three rules; without recursion each uses later ones only."""
    return Rules(
        Rule(name, draw(nodes(NAMES if recursive or i == 2 else NAMES[i + 1 :]) if recursive or i < 2 else leaf()))
        for i, name in enumerate(NAMES)
    )


def leaf() -> st.SearchStrategy[Node]:
    return st.text(LETTERS, min_size=1, max_size=2).map(Literal)


def as_g4(rules: Rules) -> str:
    return "grammar g;\n" + "".join(f"{name} : {_g4(rules[name], top=True)} ;\n" for name in rules)


def _g4(node: Node, top: bool = False) -> str:
    if isinstance(node, Literal):
        return "'" + "".join(f"\\u{{{ord(char):x}}}" if char in "'\\\n\r" else char for char in node.text) + "'"
    if isinstance(node, Ref):
        return node.name
    if isinstance(node, Repeat):
        return f"( {_g4(node.item, top=True)} ){_sign(node, '{%d,%d}', '{%d,}')}"
    inner = (" | " if isinstance(node, Alt) else " ").join(_g4(child) for child in children(node))
    return inner if top else f"( {inner} )"


def as_lark(rules: Rules) -> str:
    return "".join(f"{name}: {_lark(rules[name], top=True)}\n" for name in rules)


def _lark(node: Node, top: bool = False) -> str:
    if isinstance(node, Literal):
        return f'"{node.text}"'
    if isinstance(node, Ref):
        return node.name
    if isinstance(node, Repeat) and node.high is None and node.low > 1:
        item = f"({_lark(node.item, top=True)})"
        return f"({item}~{node.low} {item}*)"
    if isinstance(node, Repeat):
        return f"({_lark(node.item, top=True)}){_sign(node, '~%d..%d', '')}"
    inner = (" | " if isinstance(node, Alt) else " ").join(_lark(child) for child in children(node))
    return inner if top else f"({inner})"


def _sign(node: Repeat, bounds: str, open_bounds: str) -> str:
    plain = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.low, node.high))
    return plain or (bounds % (node.low, node.high) if node.high is not None else open_bounds % node.low)
