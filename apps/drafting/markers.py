"""What a disclosure shows by its own form, as spans: steps, preferences, parts with a sign, and the names it keeps using.

Inventors mark these the same way nearly everywhere, and a mark is surer than a model's extraction: marked steps are the
features of a method, marked preferences are options beside the extracted ones, and a sentence beside an extracted
feature in the same paragraph is a feature too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

import jieba.posseg

from apps.drafting.invention import AMOUNT, MAX_TERM, NOT_TERMS, Invention, Value, trimmed
from apps.drafting.lexicon import VERBAL, introduced, whole_name
from apps.drafting.sections import aims, builds, lines
from apps.drafting.signs import find_signs, unsigned

_STEP = re.compile(r"^\s*(?:步骤\s*)?(?:S\s*\d+|步骤[一二三四五六七八九十\d]+)\s*[，,：:、.]\s*(.+)$", re.M)
# The steps of a method as a numbered list, with a label that the claim leaves out: (2)切丝：将……
_NUMBERED = re.compile(r"^\s*[（(]?\s*(\d{1,2})\s*[)）、.．]\s*(?:[^，。；：:、]{2,10}[：:])?\s*(.+)$", re.M)
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
        r"([\u4e00-\u9fff]{2,30})(?=[，。；、])"
    ),
    re.compile(r"(?:^|[，。；])([\u4e00-\u9fff]{2,16}?)(?=为|包括|采用|根据|由|的)"),
)
# Parts of speech (ICTCLAS) inside a name, and at its end.
_WITHIN = frozenset("n vn nz ng l eng nr ns nt q k i j g zg a b v s m f".split())
# What a tagger takes the first word of a name for, when that is not a noun.
_LEADING = frozenset("v d ad".split())
_AT_END = frozenset("n vn nz ng l eng nr ns nt q k i j g zg".split())
# Characters of the longest feature made of a sentence; a longer sentence makes several.
MAX_FEATURE = 120
_OPERATION = re.compile(r"时$|^使用|^工作|^当|以后$|之后$|目的|原理|如图|图\d|图中|^在本|优选|进一步|可选")
_MAX_YIELD = 10
# Characters at the beginning of a clause in which what it speaks of is named.
_SUBJECT_CHARS = 12


def with_marks(invention: Invention, disclosure: str) -> Invention:
    """The invention with the disclosure's marked steps and options; a method for a computer becomes 软件方法."""
    clean, offsets = unsigned(disclosure)

    def value(start: int, text: str) -> Value:
        return Value(text, offsets[start], offsets[start + len(text) - 1] + 1)

    def marked(found: Iterable[tuple[int, str]]) -> list[Value]:
        texts = ((start, text.rstrip(" 。；;")) for start, text in found)
        return [value(start, text) for start, text in texts if len(text) >= 4]

    steps = marked((match.start(1), match[1]) for match in _STEP.finditer(clean)) or marked(_numbered(clean))
    options = marked((match.start(1), match[1]) for match in _OPTION.finditer(clean))
    changes: dict[str, object] = {}
    if invention.is_method and len(steps) >= MIN_STEPS:
        changes["features"] = steps
    elif not invention.is_method:
        starts = [offsets.index(feature.start) for feature in invention.features]
        taken = [range(at, at + len(feature.text)) for at, feature in zip(starts, invention.features, strict=True)]
        beside = [value(start, text) for start, text in _sentences_beside(clean, taken, invention.terms, invention.subject.text)]
        changes["features"] = invention.features + beside
    if options:
        inside = [old for old in invention.options if any(new.start <= old.start < new.end for new in options)]
        changes["options"] = options + [old for old in invention.options if old not in inside and len(old.text) >= 6]
    if invention.category == "方法" and _PROGRAM.search(disclosure):
        changes["category"] = "软件方法"
    names = [*invention.terms, *names_in_use(clean, invention.subject.text)]
    names = introduced([clean], list(dict.fromkeys([*names, *find_signs(disclosure, names)])))
    names = list(dict.fromkeys(whole_name(name, clean) for name in names))
    new = [name for name in names if name not in invention.terms and name not in NOT_TERMS]
    changes["parts"] = invention.parts + [value(clean.index(name), name) for name in new]
    return dataclasses.replace(invention, **changes)  # type: ignore[arg-type]


def _numbered(clean: str) -> Iterator[tuple[int, str]]:
    """The items 1, 2, 3 ... of the first numbered list of the solution."""
    wanted = 1
    for start, line, role in lines(clean):
        match = _NUMBERED.match(line)
        if match and role in ("", "body") and int(match[1]) == wanted:
            wanted += 1
            yield start + match.start(2), match[2]


def names_in_use(text: str, subject: str) -> Iterator[str]:
    """Noun phrases that the solution names in a telling place and that the text has at least twice."""
    body = "\n".join(line for _, line, role in lines(text) if role in ("", "body"))
    for said, name in _said_names(body):
        # A piece of the subject counts only where it stands by itself.
        inside = name in subject
        alone = text.count(name) - inside * text.count(subject)
        if 2 <= len(name) <= MAX_TERM and name not in NOT_TERMS and (name == said or not inside) and alone >= 2 - inside:
            yield name


def _said_names(body: str) -> Iterator[tuple[str, str]]:
    """(what is said, the name in it) in the telling places. What a step yields is a name as far as it is said again."""
    for pattern in _NAMES:
        for match in pattern.finditer(body):
            said = match[1].removeprefix("所述")
            yield said, _name(said, led=pattern is not _NAMES[-1])
            for piece in re.split("以及|和|与|及|的", said) if pattern is _NAMES[1] else ():
                told = builds(piece) or piece[0] in "到将把被对在向从"
                if 3 <= len(piece) <= _MAX_YIELD and not told and list(jieba.posseg.cut(piece))[-1].flag in _AT_END:
                    yield piece, piece


def _name(text: str, led: bool) -> str:
    """The noun phrase at the beginning of the text; empty when a verb alone is left. `led`: 对齐 in 对齐序列 is no adverb."""
    words = [tuple(pair) for pair in jieba.posseg.cut(text)]
    led = led and len(words) > 1 and len(words[0][0]) > 1 and words[0][1] in _LEADING and words[1][1] in _AT_END
    verbs = (at for at, (word, flag) in enumerate(words) if VERBAL.search(word) or flag not in _WITHIN and not (led and at == 0))
    end = next(verbs, len(words))
    words = words[:end]
    if words and words[0][0][0] in "端侧":
        return ""
    while words and words[-1][1] not in _AT_END:
        words.pop()
    if len(words) == 1 and words[0][1] == "vn":
        return ""
    return AMOUNT.sub("", "".join(word for word, _ in words))


def _sentences_beside(clean: str, taken: list[range], terms: list[str], subject: str) -> Iterator[tuple[int, str]]:
    """What the solution says beside the extracted features: in their paragraphs, and wherever it puts parts together."""
    for start, line, role in lines(clean):
        if role not in ("", "body"):
            continue
        anchored = any(span.start in range(start, start + len(line)) for span in taken)
        for sentence in re.finditer(r"[^。；;]+", line):
            begin = start + sentence.start()
            for at, clause in _clauses(sentence[0], [range(span.start - begin, span.stop - begin) for span in taken]):
                text = re.sub(rf"^(?:的|一种)*{re.escape(subject)}[，,]*", "", trimmed(clause))
                named = introduced([text[:_SUBJECT_CHARS]], terms) if not anchored else introduced([text], terms)
                if 5 <= len(text) <= MAX_FEATURE and named and (anchored or builds(text)):
                    yield begin + at + clause.index(text), text


def _clauses(sentence: str, taken: list[range]) -> Iterator[tuple[int, str]]:
    """(offset, text): the clauses of a sentence that `taken` leaves and that tell means, up to the first that tells how
    it is worked; neighbours together up to MAX_FEATURE characters."""
    start, text, told = 0, "", False
    for clause in re.finditer(r"[^，,]+[，,]?", sentence):
        bare = clause[0].strip(" ，,")
        if _OPERATION.search(bare):
            break
        told = aims(bare) or told and bare.startswith(("且", "并"))
        covered = any(span.start < clause.end() and clause.start() < span.stop for span in taken)
        if text and (covered or told or len(text) + len(clause[0]) > MAX_FEATURE):
            yield start, text
            text = ""
        if not covered and not told:
            start, text = start if text else clause.start(), text + clause[0]
    if text:
        yield start, text
