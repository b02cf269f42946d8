"""The invention model: what a disclosure says, as values that each stand in the disclosure.

`validate` takes the extracted JSON, drops what the disclosure does not contain and records the offset of the rest.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from apps.drafting.sections import outside_solution
from apps.drafting.signs import unsigned

CATEGORIES = ("产品", "方法", "软件方法")
# Title of at most 25 characters (指南 I-1-4.1.1), two of which may be 一种.
MAX_SUBJECT = 23
MAX_TERM = 16
_LEADS = re.compile(
    r"^(?:本(?:发明|实用新型)(?:提供|公开|采用)了?(?:一种)?(?:如下|以下)?(?:技术)?方案[是为]?|优选[地的]?|可选[地的]?|进一步地?|此外|另外|其中|例如|本发明|本实用新型|还可以|也可以|可以|还|所述|该|一种|第[一二三四五六七八九十]+步|步骤[一二三四五六七八九十\d]*)?[，、,：:]?"
)
# What a text calls itself: an invention or a utility model.
SELF_NAMES = ("本发明", "本实用新型")
_NUMBER = re.compile(r"^\s*[（(]?\d{1,2}(?:[)）、．]|\.(?!\d))\s*")
# A clause that says nothing without the one before it.
_CONTINUES = re.compile(r"使|从而|以便|以使|进而|且|并")
_TITLE = re.compile(r"^(?:发明名称|实用新型名称|名称)[ \t]*[:：][ \t]*(\S.*)$", re.M)
_CLAUSE_ENDS = "，。；：,;:\n"
AMOUNT = re.compile(r"^(?:[一二两三四五六七八九十多数若干\d]+|至少一)(?:个|组|对|根|块|条|只|片|套|层|排|台|件|张)")
_METHOD = re.compile(r"(方法|工艺|流程)$")
NOT_TERMS = frozenset("本发明 本实用新型 装置 方法 系统 设备 产品 技术 问题 步骤 结构 其 它 部分 数据 信息".split())


class InventionError(ValueError):
    """The extracted JSON is no invention model of this disclosure."""


@dataclass(frozen=True)
class Value:
    """A value and its half-open span [start, end) in the disclosure, in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Invention:
    """subject: what is claimed, without 一种. dropped: extracted values that the disclosure does not contain."""

    subject: Value
    category: str
    field: Value | None
    problem: Value | None
    parts: list[Value]
    features: list[Value]
    options: list[Value]
    effects: list[Value]
    dropped: list[str] = dataclasses.field(default_factory=list)

    @property
    def is_method(self) -> bool:
        return self.category != "产品"

    @property
    def terms(self) -> list[str]:
        return list(dict.fromkeys([self.subject.text, *(part.text for part in self.parts)]))

    def self_name(self, disclosure: str) -> str:
        """What the filing calls itself, as the disclosure does; a method cannot be a utility model (专利法 2.3)."""
        invention, model = (disclosure.count(name) for name in SELF_NAMES)
        return SELF_NAMES[model > invention and not self.is_method]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Invention:
        def value(item: dict[str, Any] | None) -> Value | None:
            return Value(**item) if item else None

        lists = {name: [Value(**item) for item in data[name]] for name in ("parts", "features", "options", "effects")}
        return cls(
            subject=Value(**data["subject"]),
            category=data["category"],
            field=value(data["field"]),
            problem=value(data["problem"]),
            dropped=list(data.get("dropped", [])),
            **lists,
        )


def parse_json(text: str) -> dict[str, Any]:
    """The first JSON object in a model's answer. Raises InventionError."""
    start, end = text.find("{"), text.rfind("}")
    try:
        data = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise InventionError("the answer holds no JSON object")
    return data


def validate(data: dict[str, Any], disclosure: str) -> Invention:
    """Checks extracted values against the disclosure. Raises InventionError when the subject or the parts are missing."""
    clean, offsets = unsigned(disclosure)
    dropped: list[str] = []

    outside = outside_solution(clean)

    def locate(text: str) -> Value | None:
        """Where the disclosure says it: in the solution rather than in the background or the effects."""
        found = [match.start() for match in re.finditer(re.escape(text), clean)] if text else []
        if not found:
            if text:
                dropped.append(text)
            return None
        at = next((at for at in found if not any(at in section for section in outside)), found[0])
        return Value(text, offsets[at], offsets[at + len(text) - 1] + 1)

    def values(texts: Iterable[str]) -> Iterator[Value]:
        for text in dict.fromkeys(map(trimmed, texts)):
            value = locate(text)
            if value:
                yield value

    subject = locate(_titled(clean, _subject(str(data.get("subject", "")), clean)))
    if subject is None:
        raise InventionError("the disclosure does not name the extracted subject")
    names = [name for listed in _strings(data.get("parts")) for name in part_names(listed, clean)]
    parts = [part for part in values(names) if _is_term(part.text, subject.text)]
    features = list(values(_whole(data.get("features"), clean)))
    known = {feature.text for feature in features}
    options = [option for option in values(_whole(data.get("options"), clean)) if option.text not in known]
    if not parts and not features:
        raise InventionError("no part and no feature of the invention was found")
    return Invention(
        subject=subject,
        category=_category(str(data.get("category", "")), subject.text),
        field=locate(trimmed(str(data.get("field", "")))),
        problem=locate(trimmed(str(data.get("problem", "")))),
        parts=parts,
        features=features,
        options=options,
        effects=list(values(_whole(data.get("effects"), clean))),
        dropped=dropped,
    )


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def trimmed(text: str) -> str:
    """Without the words that lead to what is said (优选的，本发明的) and the marks around it."""
    text, previous = _NUMBER.sub("", text), None
    while previous != text:
        previous, text = text, _LEADS.sub("", text.strip(" ，。；、,;:：*#\"“”"), count=1)
    return text


def part_names(listed: str, clean: str) -> list[str]:
    """The names in 两组电机、支板和风机: no numbers in front, and cut at 和 where the disclosure knows both sides alone."""
    names: list[str] = []
    for name in re.split("、", listed):
        name = AMOUNT.sub("", name.strip())
        pair = re.fullmatch(r"(.{2,})(?:和|与|及|以及)(.{2,})", name)
        together = clean.count(name)
        alone = pair and all(clean.count(side) > together for side in pair.groups())
        names += pair.groups() if pair and (alone or "、" in listed) else [name]
    return names


def _whole(texts: Any, clean: str) -> Iterator[str]:
    """The texts with the rest of their clauses on both sides (提高了 in front of 可靠性), without headings."""
    for text in map(trimmed, _strings(texts)):
        at = clean.find(text)
        if at < 0 or not text:
            yield text
            continue
        start = max(clean.rfind(mark, 0, at) for mark in _CLAUSE_ENDS) + 1
        while _CONTINUES.match(clean, start) and clean[start - 1 : start] in ("，", ","):
            start = max(clean.rfind(mark, 0, start - 1) for mark in _CLAUSE_ENDS) + 1
        end = re.compile(f"[{_CLAUSE_ENDS}]|$").search(clean, at + len(text)).start()  # type: ignore[union-attr]
        line = clean[clean.rfind("\n", 0, at) + 1 :].split("\n", 1)[0]
        if text != line.strip():
            yield clean[start:end].strip()


def _subject(text: str, clean: str) -> str:
    """Without 一种 and without words around the name; at most MAX_SUBJECT characters."""
    text = re.sub(r"(技术)?交底书$|的?发明$", "", trimmed(text)).strip()
    if len(text) > MAX_SUBJECT:
        head = re.split(r"及其?|以及|和|、", text)[0]
        text = head if 3 <= len(head) <= MAX_SUBJECT else text[-MAX_SUBJECT:]
    return text if text in clean else ""


def _titled(clean: str, subject: str) -> str:
    """The name that the disclosure gives itself, unless that joins several inventions; otherwise the subject."""
    line = _TITLE.search(clean)
    title = trimmed(line[1]) if line else ""
    return title if 3 <= len(title) <= MAX_SUBJECT and not re.search("及|和|、", title) else subject


def _category(text: str, subject: str) -> str:
    if text not in CATEGORIES:
        return "方法" if _METHOD.search(subject) else "产品"
    if text == "产品" and _METHOD.search(subject):
        return "方法"
    if text != "产品" and not _METHOD.search(subject):
        return "产品"
    return text


def _is_term(text: str, subject: str) -> bool:
    return 2 <= len(text) <= MAX_TERM and text not in NOT_TERMS and text != subject and not re.search(r"[，、,。]", text)
