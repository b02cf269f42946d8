"""The invention model: what a disclosure says, as values that each stand in the disclosure.

`validate` takes the extracted JSON, drops what the disclosure does not contain and records the offset of the rest.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from apps.drafting.signs import unsigned

CATEGORIES = ("产品", "方法", "软件方法")
# Title of at most 25 characters (指南 I-1-4.1.1), two of which may be 一种.
MAX_SUBJECT = 23
MAX_TERM = 16
_LEADS = re.compile(
    r"^(?:优选[地的]?|可选[地的]?|进一步地?|此外|另外|其中|例如|本发明|本实用新型|还可以|也可以|可以|还|所述|该|一种|第[一二三四五六七八九十]+步|步骤[一二三四五六七八九十\d]*)?[，、,：:]?"
)
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

    def locate(text: str) -> Value | None:
        at = clean.find(text) if text else -1
        if at < 0:
            if text:
                dropped.append(text)
            return None
        return Value(text, offsets[at], offsets[at + len(text) - 1] + 1)

    def values(name: str) -> Iterator[Value]:
        seen: set[str] = set()
        for text in _strings(data.get(name)):
            text = _trim(text)
            if text and text not in seen:
                seen.add(text)
                value = locate(text)
                if value:
                    yield value

    subject = locate(_subject(str(data.get("subject", "")), clean))
    if subject is None:
        raise InventionError("the disclosure does not name the extracted subject")
    parts = [part for part in values("parts") if _is_term(part.text, subject.text)]
    features = list(values("features"))
    known = {feature.text for feature in features}
    options = [option for option in values("options") if option.text not in known]
    if not parts and not features:
        raise InventionError("no part and no feature of the invention was found")
    return Invention(
        subject=subject,
        category=_category(str(data.get("category", "")), subject.text),
        field=locate(_trim(str(data.get("field", "")))),
        problem=locate(_trim(str(data.get("problem", "")))),
        parts=parts,
        features=features,
        options=options,
        effects=list(values("effects")),
        dropped=dropped,
    )


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _trim(text: str) -> str:
    previous = None
    while previous != text:
        previous, text = text, _LEADS.sub("", text.strip(" ，。；、,;:：*#\"“”"), count=1)
    return text


def _subject(text: str, clean: str) -> str:
    """Without 一种 and without words around the name; at most MAX_SUBJECT characters."""
    text = re.sub(r"(技术)?交底书$|的?发明$", "", _trim(text)).strip()
    if len(text) > MAX_SUBJECT:
        head = re.split(r"及其?|以及|和|、", text)[0]
        text = head if 3 <= len(head) <= MAX_SUBJECT else text[-MAX_SUBJECT:]
    return text if text in clean else ""


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
