"""The plan of the claims: what goes into which claim and on which claim it depends.

The host owns numbers and references (细则 23-25); the model only words the features that the plan assigns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from apps.drafting.invention import Invention, Value
from apps.drafting.lexicon import QUANTITY, introduced
from apps.drafting.sections import aims, builds, outside_solution, praises
from apps.drafting.signs import is_sign_list, unsigned

MAX_CLAIMS = 10
MIN_DEPENDENTS = 4
# Characters of features that claim 1 carries; what is left goes into dependent claims.
# A method keeps its steps together.
CORE_CHARS, CORE_CHARS_METHOD = 320, 450
MIN_CORE = 2
# Characters of a clause that says enough to stand in a claim of its own.
MIN_DETAIL = 6
# Characters of each half of a feature that is cut in two; and within which a clause names the part that it turns to.
MIN_HALF, _OPENING = 20, 6
DEVICE = "电子设备"
_NOT_SOLUTION = re.compile(
    r"是指|目前|现有|传统|背景|缺点|缺陷|不足|问题|涉及|因此|避免|效果|优点|有利于|提高了|降低了|图\d|交底|发明名称|所述的?[^，]*包括|如图|为例"
)
# A report of a trial, which shows the effect and limits nothing.
_TRIAL = re.compile(r"(?:试验|实验|测试|检测|结果)(?:结果)?(?:表明|显示|证明)|对比[样例]|对照[组例]|测得")
# A bare noun phrase states nothing: 未处理竹纤维的对比样.
_NOUN_PHRASE = re.compile(r"[^，为是有设由采]*的[^，为是有设由采的]{1,8}")
# What somebody does with a product.
_OPERATING = re.compile(r"^(?:打开|启动|关闭|开启|使用|工作|操作|首先|然后|接着|最后|需要)")
# What may open an operation or a structure.
_MEANS = re.compile(r"^(?:将|把|通过|当)")
# Words that join a clause to the one before it, which stands in another claim; and words that point back to it.
_JOINING = re.compile(r"^(?:并且|且|并|然后|接着|同时|再)")
_POINTING = re.compile(r"^(?:同样|其|该|此)")
# The announcement of another subject: 本发明还提供一种存储介质.
_ANNOUNCED = re.compile(r"^(?:本发明|本实用新型)?(?:还|另|同时)?提供了?(?:一种|上述|如)")
_CLAUSES = re.compile(r"[^。；;！？!?\n]+")


@dataclass(frozen=True)
class PlannedClaim:
    """rule: start rule of the claim grammar. parent: the claim that a dependent refers to. link: the host's words for
    the claims that a device or medium claim carries out. features: spans of the disclosure to be worded."""

    number: int
    rule: str
    parent: int | None = None
    link: str = ""
    features: list[str] = field(default_factory=list)

    @property
    def ref(self) -> str:
        """The reference that the host writes in front of a dependent claim."""
        return f"根据权利要求{self.parent}" if self.parent else ""

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ref": self.ref}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PlannedClaim:
        return cls(data["number"], data["rule"], data["parent"], data["link"], list(data["features"]))


def make_plan(
    invention: Invention, disclosure: str, terms: Sequence[str], max_claims: int = MAX_CLAIMS
) -> list[PlannedClaim]:
    """Claim 1, its dependents in the order of the disclosure and, for software methods, a device and a medium.

    At least MIN_DEPENDENTS dependents as far as the disclosure has features for them; a method keeps its steps in claim 1
    as long as anything else is said.
    """
    tail = 2 if invention.category == "软件方法" and max_claims >= MIN_DEPENDENTS + 3 else 0
    room = max(max_claims - 1 - tail, 0)
    features = _solution(invention.features, disclosure, invention.is_method) or invention.features
    options = _solution(invention.options, disclosure, invention.is_method)
    core, rest = _split(_distinct(features), CORE_CHARS_METHOD if invention.is_method else CORE_CHARS)
    options = [value for value in _distinct(options) if not _inside(value, core)]
    extras = _distinct([*options, *(value for value in rest if not _inside(value, options))])
    spare = _spare(disclosure, [*core, *extras], terms)
    if invention.is_method:
        extras += spare[: max(MIN_DEPENDENTS - len(extras), 0)]
        core, details = _detailed(core, MIN_DEPENDENTS - len(extras))
        extras += details
    while len(extras) < MIN_DEPENDENTS and len(core) > MIN_CORE:
        extras.append(core.pop())
    if not invention.is_method:
        extras += spare[: max(MIN_DEPENDENTS - len(extras), 0)]
        extras = _divided(extras, MIN_DEPENDENTS, terms)
    if not core and extras:
        core = [extras.pop(0)]
    extras = sorted(extras[:room], key=lambda value: value.start)

    plan = [PlannedClaim(1, "independent", features=[value.text for value in core])]
    for value in extras:
        plan.append(PlannedClaim(len(plan) + 1, "dependent", _parent(value.text, plan, terms), "", [value.text]))
    methods = len(plan)
    link = f"权利要求1至{methods}中任一项" if methods > 1 else "权利要求1"
    for rule in ("device", "medium")[:tail]:
        plan.append(PlannedClaim(len(plan) + 1, rule, None, link))
    return plan


def ancestors(number: int, plan: Sequence[PlannedClaim]) -> list[int]:
    """Numbers of the claims that a claim depends on, the nearest first."""
    by_number = {claim.number: claim for claim in plan}
    found: list[int] = []
    parent = by_number[number].parent
    while parent is not None:
        found.append(parent)
        parent = by_number[parent].parent
    return found


def _solution(values: Iterable[Value], disclosure: str, is_method: bool) -> list[Value]:
    """The values that describe the solution, without the clauses that only praise it."""
    outside = outside_solution(disclosure)
    outside += [range(*match.span()) for match in re.finditer(r"[^。\n]+", disclosure) if _TRIAL.search(match[0])]
    found = []
    for value in values:
        clauses = value.text.split("，")
        if not is_method:
            clauses = [clause for clause in clauses if not aims(clause)]
        while clauses and praises(clauses[-1]):
            clauses.pop()
        if not clauses or praises(clauses[0]) or _ANNOUNCED.match(clauses[0]) or len(clauses) == 1 and _bare_noun(clauses[0]):
            continue
        if not any(value.start in section for section in outside):
            found.append(replace(value, text=_said("，".join(clauses))))
    # How a product is made, not how it is worked with.
    return found if is_method else [value for value in found if not _worked(value.text)]


def _said(text: str) -> str:
    """The text as a claim says it: no word that joins it to what stood before, no colon inside."""
    return _JOINING.sub("", text).replace("为：", "为")


def _worked(text: str) -> bool:
    return bool(_OPERATING.match(text) or _MEANS.match(text) and not builds(text))


def _bare_noun(text: str) -> bool:
    return bool(_NOUN_PHRASE.fullmatch(text)) and not builds(text)


def _distinct(values: Iterable[Value]) -> list[Value]:
    """In the order of the disclosure, without values that stand inside another one."""
    ordered = sorted(values, key=lambda value: (value.start, -value.end))
    kept: list[Value] = []
    for value in ordered:
        if not _inside(value, kept):
            kept.append(value)
    return kept


def _inside(value: Value, others: Iterable[Value]) -> bool:
    return any(other.start <= value.start and value.end <= other.end for other in others)


def _split(features: list[Value], room: int) -> tuple[list[Value], list[Value]]:
    """The features of claim 1, and those beyond its length."""
    length = 0
    for at, feature in enumerate(features):
        length += len(feature.text)
        if at >= MIN_CORE and length > room:
            return features[:at], features[at:]
    return features, []


def _detailed(steps: list[Value], wanted: int) -> tuple[list[Value], list[Value]]:
    """The steps without, and the clauses with, as many of their longest quantities as are wanted."""
    clauses = [step.text.split("，") for step in steps]
    details = [
        (at, clause)
        for at, parts in enumerate(clauses)
        for clause, following in zip(parts[1:], [*parts[2:], ""], strict=False)
        if len(parts) > 2 and not _POINTING.match(following) and len(clause) >= MIN_DETAIL and QUANTITY.search(clause)
    ]
    chosen = sorted(details, key=lambda detail: -len(detail[1]))[: max(wanted, 0)]
    kept = [
        replace(step, text="，".join(clause for clause in clauses[at] if (at, clause) not in chosen))
        for at, step in enumerate(steps)
    ]
    return kept, [replace(steps[at], text=_said(clause)) for at, clause in details if (at, clause) in chosen]


def _divided(values: list[Value], wanted: int, terms: Sequence[str]) -> list[Value]:
    """At least as many values as are wanted, if need be by cutting the longest where a clause turns to another part."""
    while len(values) < wanted:
        cuts = []
        for value in values:
            ends = (match.end() for match in re.finditer("，", value.text))
            turns = [end for end in ends if introduced([value.text[end:].removeprefix("所述")[:_OPENING]], terms)]
            halves = [cut for cut in turns if min(cut, len(value.text) - cut) >= MIN_HALF]
            if halves:
                middle = min(halves, key=lambda cut: abs(2 * cut - len(value.text)))  # noqa: B023
                cuts.append((len(value.text), value, middle))
        if not cuts:
            break
        _, value, cut = max(cuts, key=lambda found: found[0])
        at = values.index(value)
        values[at : at + 1] = [replace(value, text=value.text[: cut - 1]), replace(value, text=value.text[cut:])]
    return values


def _spare(disclosure: str, used: Sequence[Value], terms: Sequence[str]) -> list[Value]:
    """Clauses of the disclosure that say something about a term and that no value uses yet."""
    clean, offsets = unsigned(disclosure)
    outside = outside_solution(clean)
    found = []
    for match in _CLAUSES.finditer(clean):
        text = match[0].strip(" ，,*#->|")
        if any(match.start() in section for section in outside) or text.removeprefix("一种") in terms:
            continue
        if not 6 <= len(text) <= 80 or _NOT_SOLUTION.search(text) or is_sign_list(text) or _bare_noun(text) or _ANNOUNCED.match(text):
            continue
        start = match.start() + match[0].index(text)
        value = Value(text, offsets[start], offsets[start + len(text) - 1] + 1)
        overlaps = any(value.start < other.end and other.start < value.end or other.text in text for other in used)
        if not overlaps and introduced([text], terms):
            found.append(value)
    return found


def _parent(text: str, plan: Sequence[PlannedClaim], terms: Sequence[str]) -> int:
    """The claim that, with those above it, brings in most of the terms of `text`; of several, the one that brings in what
    the text speaks of, then the earliest."""
    wanted = introduced([text], terms)
    topic = min(wanted, key=text.index, default="")

    def brought(claim: PlannedClaim) -> tuple[int, bool]:
        numbers = {claim.number, *ancestors(claim.number, plan)}
        features = [feature for other in plan if other.number in numbers for feature in other.features]
        known = set(introduced(features, terms))
        return len(known.intersection(wanted)), topic in known

    return max(plan, key=lambda claim: (*brought(claim), -claim.number)).number
