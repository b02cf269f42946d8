"""What a disclosure shows by its own form, as spans: steps, preferences, parts with a sign, and the names it keeps using.

Inventors mark these the same way nearly everywhere, and a mark is surer than a model's extraction: marked steps are the
features of a method, marked preferences are options beside the extracted ones, and a sentence beside an extracted
feature in the same paragraph is a feature too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import jieba.posseg

from apps.drafting.invention import MAX_TERM, NOT_TERMS, Invention, Value
from apps.drafting.sections import lines
from apps.drafting.signs import find_signs, unsigned

_STEP = re.compile(r"^\s*(?:步骤\s*)?(?:S\s*\d+|步骤[一二三四五六七八九十\d]+)\s*[，,：:、.]\s*(.+)$", re.M)
_OPTION = re.compile(
    r"^\s*(?:优选|较佳|可选|进一步|更进一步|作为优选)(?:地|的)?(?:，|,)?\s*(?:步骤\s*S?\d+\s*中?(?:还)?[，,]?)?(?:所述)?(.+)$", re.M
)
_PROGRAM = re.compile(r"计算机程序|存储介质|电子设备")
MIN_STEPS = 2
# A name stands after 所述, after what makes or holds it, or before what describes it.
_NAMES = (
    re.compile(r"所述([\u4e00-\u9fff]{2,16})"),
    re.compile(
        r"(?:得到|获得|计算(?!机)|生成|获取|形成|制得|采集|输出|设有|开有|设置有|安装有|开设有|连接有|包括|包覆有|嵌有|加入|添加)"
        r"([\u4e00-\u9fff]{2,16})(?=[，。；、])"
    ),
    re.compile(r"(?:^|[，。；])([\u4e00-\u9fff]{2,16}?)(?=为|包括|采用|根据|由|的)"),
)
# Parts of speech (ICTCLAS) inside a name, and at its end.
_WITHIN = frozenset("n vn nz ng l eng nr ns nt q k i j g zg a b v s m f".split())
_AT_END = frozenset("n vn nz ng l eng nr ns nt q k i j g zg".split())
_OPERATION = re.compile(r"时[，,]|^使用|^工作|以后[，,]|之后[，,]|从而|避免|防止|目的|原理|如图|优选|进一步|可选")


def with_marks(invention: Invention, disclosure: str) -> Invention:
    """The invention with the disclosure's marked steps and options; a method for a computer becomes 软件方法."""
    clean, offsets = unsigned(disclosure)

    def value(start: int, text: str) -> Value:
        return Value(text, offsets[start], offsets[start + len(text) - 1] + 1)

    def marked(pattern: re.Pattern[str]) -> list[Value]:
        found = ((match.start(1), match[1].rstrip(" 。；;")) for match in pattern.finditer(clean))
        return [value(start, text) for start, text in found if len(text) >= 4]

    steps, options = marked(_STEP), marked(_OPTION)
    changes: dict[str, object] = {}
    if invention.is_method and len(steps) >= MIN_STEPS:
        changes["features"] = steps
    elif not invention.is_method:
        starts = [offsets.index(feature.start) for feature in invention.features]
        taken = [range(at, at + len(feature.text)) for at, feature in zip(starts, invention.features, strict=True)]
        beside = [value(start, text) for start, text in _sentences_beside(clean, taken, invention.terms)]
        changes["features"] = invention.features + beside
    if options:
        inside = [old for old in invention.options if any(new.start <= old.start < new.end for new in options)]
        changes["options"] = options + [old for old in invention.options if old not in inside and len(old.text) >= 6]
    if invention.category == "方法" and _PROGRAM.search(disclosure):
        changes["category"] = "软件方法"
    names = [*find_signs(disclosure, invention.terms), *names_in_use(clean, invention.subject.text)]
    new = [name for name in dict.fromkeys(names) if name not in invention.terms and name in clean]
    changes["parts"] = invention.parts + [value(clean.index(name), name) for name in new]
    return dataclasses.replace(invention, **changes)  # type: ignore[arg-type]


def names_in_use(text: str, subject: str) -> Iterator[str]:
    """Noun phrases that the solution names in a telling place and at least twice."""
    body = "\n".join(line for _, line, role in lines(text) if role in ("", "body"))
    for pattern in _NAMES:
        for match in pattern.finditer(body):
            name = _name(match[1].removeprefix("所述"))
            alone = body.count(name) - body.count(subject) if subject and name in subject else body.count(name)
            whole = name not in subject or name == match[1].removeprefix("所述")
            if 2 <= len(name) <= MAX_TERM and name not in NOT_TERMS and whole and alone >= 2 - (name in subject):
                yield name


def _name(text: str) -> str:
    """The noun phrase at the beginning of the text; empty when a verb alone is left."""
    words = [tuple(pair) for pair in jieba.posseg.cut(text)]
    end = next((at for at, (_, flag) in enumerate(words) if flag not in _WITHIN), len(words))
    words = words[:end]
    while words and words[-1][1] not in _AT_END:
        words.pop()
    if len(words) == 1 and words[0][1] == "vn":
        return ""
    return "".join(word for word, _ in words)


def _sentences_beside(clean: str, taken: list[range], terms: list[str]) -> Iterator[tuple[int, str]]:
    """What the paragraphs that hold an extracted feature say beside it: sentences, and the clauses of a sentence that is
    taken in part."""
    for start, line, role in lines(clean):
        if role not in ("", "body") or not any(span.start in range(start, start + len(line)) for span in taken):
            continue
        for sentence in re.finditer(r"[^。；;]+", line):
            if _OPERATION.search(sentence[0]):
                continue
            begin, end = start + sentence.start(), start + sentence.end()
            partly = any(span.start < end and begin < span.stop for span in taken)
            for clause in re.finditer(r"[^，,]+" if partly else r".+", sentence[0]):
                text, at = clause[0].strip(), begin + clause.start()
                covered = any(span.start < at + len(clause[0]) and at < span.stop for span in taken)
                if not covered and 5 <= len(text) <= 120 and any(term in text for term in terms):
                    yield at + clause[0].index(text), text
