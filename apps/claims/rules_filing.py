"""Rules of title, abstract and description: CN-TTL, CN-ABS and the CN-DSC rules a program can decide.

Sources: 细则20, 26; 指南I-1-4, II-2-2. Character counts include punctuation and leave out white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .finding import Finding, finding
from .lexicons import COMMERCIAL, GENERIC_TITLES, KNOWN_ABBREVIATIONS, KNOWN_FOREIGN, SYNONYMS, hits
from .parse import ClaimSet
from .references import find_citations
from .signs import sure_bare

HEADINGS = ("技术领域", "背景技术", "发明内容", "附图说明", "具体实施方式")
_HEADING_LINE = re.compile(
    r"(?m)^[ \t#【\[]*(?:[一二三四五]、|\d[.、])?[ \t]*(技术领域|背景技术|发明内容|实用新型内容|附图说明|具体实施方式)[ \t】\]：:]*$"
)
_MODEL = re.compile(r"[A-Z]{2,}-?\d+[A-Z0-9]*型?|[A-Za-z]+\d*[®™]|[一-龥][氏牌](?=[一-龥])")
_VAGUE_TAIL = re.compile(r"及其他|及其类似物|等$")
_PRAISE = re.compile(r"新型高效|高效节能|神奇|最新|超级|王牌")
_ABSTRACT_HEAD = re.compile(r"\A\s*[【\[]?(?:说明书)?摘\s*要[】\]：:\s]|(?m:^)\s*(?:技术领域|技术问题|技术方案|有益效果)[：:]")
_PARAGRAPH = re.compile(r"(?m)^[ \t]*\[(\d{4})\]")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>")
_FIGURE_ENTRY = re.compile(r"图\s*(\d{1,2})(?:\s*[（(]?[a-z]?[）)]?)\s*(?:是|为|示出|：|:|-|—)")
_RESIDUE = re.compile(r"我们|本文(?!件|本|档)|本论文|【待[^】]*】|TODO|https?://\S+|\*\*|```")
_ABBREVIATION = re.compile(r"(?<![A-Za-z0-9（(/\-])[A-Z]{2,6}(?![A-Za-z0-9\-:/])")
_FOREIGN = re.compile(r"(?<![A-Za-z0-9_.\-/\[“\"=])[A-Z][a-z]{4,}(?![A-Za-z0-9_.\-/=（(])")
_UNITS = re.compile(r"(?<=\d)\s*(?:英寸|英尺|寸|尺|亩|斤|两(?=[，。；])|磅|公分|马力)")


def check_title(title: str, others: Mapping[str, str], claims: ClaimSet | None) -> Iterator[Finding]:
    """Findings on the title; `others` are the same title in other papers, by name."""
    name = re.sub(r"\A\s*(?:发明)?名称\s*[：:]\s*", "", title.strip()).rstrip("。")
    size = len(re.sub(r"\s", "", name))

    def at(rule: str, start: int = 0, end: int | None = None, **fields: Any) -> Finding:
        return finding(rule, 0, start, len(title) if end is None else end, part="title", **fields)

    if size > 60:
        yield at("CN-TTL-002", n=size)
    elif size > 25:
        yield at("CN-TTL-001", n=size)
    for match in _MODEL.finditer(title):
        yield at("CN-TTL-003", *match.span(), text=match.group())
    for pattern in (_VAGUE_TAIL, _PRAISE):
        for match in pattern.finditer(title):
            yield at("CN-TTL-004", *match.span(), text=match.group())
    for start, end in hits(title, COMMERCIAL):
        yield at("CN-TTL-004", start, end, text=title[start:end])
    if name.removeprefix("一种") in GENERIC_TITLES:
        yield at("CN-TTL-005", text=name)
    if name != title.strip():
        yield at("CN-TTL-008")
    for other in others.values():
        if other.strip() and other.strip() != title.strip():
            yield at("CN-TTL-007", a=title.strip(), b=other.strip())
    yield from _title_categories(name, title, claims)


def _title_categories(name: str, title: str, claims: ClaimSet | None) -> Iterator[Finding]:
    independent = [c for c in claims.claims if c.kind == "independent"] if claims else []
    method = any(c.category == "method" for c in independent)
    product = any(c.category == "product" for c in independent)
    shows_method = bool(re.search(r"方法|工艺|制法|流程|用途|应用", name))
    shows_product = not re.fullmatch(r".*(?:方法|工艺|制法|流程)", name) or bool(
        re.search(r"装置|设备|系统|介质|及其|产品|和|、|与|以及", name)
    )
    if method and not shows_method:
        yield finding("CN-TTL-006", 0, 0, len(title), part="title", text="方法")
    if product and not shows_product:
        yield finding("CN-TTL-006", 0, 0, len(title), part="title", text="产品")


def check_abstract(
    abstract: str, title: str, claims: ClaimSet | None, signs: Mapping[str, str] | None
) -> Iterator[Finding]:
    """Findings on the abstract text."""
    body = re.sub(r"摘要附图[：:][^\n]*", "", abstract)
    size = len(re.sub(r"\s", "", body))

    def at(rule: str, start: int = 0, end: int | None = None, **fields: Any) -> Finding:
        return finding(rule, 0, start, len(abstract) if end is None else end, part="abstract", **fields)

    if size > 300:
        yield at("CN-ABS-001", n=size)
    subject = title.strip().removeprefix("一种").rstrip("。")
    if subject and subject not in re.sub(r"\s", "", abstract):
        yield at("CN-ABS-002")
    for match in _ABSTRACT_HEAD.finditer(abstract):
        yield at("CN-ABS-003", *match.span(), text=match.group().strip())
    for start, end in hits(abstract, COMMERCIAL):
        yield at("CN-ABS-004", start, end, text=abstract[start:end])
    for sign in sure_bare(abstract, signs):
        yield at("CN-ABS-005", sign.start, sign.end, text=f"{sign.before[-6:]}{sign.sign}")
    if claims and claims.claims:
        first = re.sub(r"\s|[，。]", "", claims.claims[0].text)
        if first and re.sub(r"\s|[，。]", "", abstract) == first:
            yield at("CN-ABS-007")


def check_description(
    text: str, has_drawings: bool | None, utility_model: bool, signs: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Findings on the description with its headings; `has_drawings` None means unknown."""

    def at(rule: str, start: int, end: int, **fields: Any) -> Finding:
        return finding(rule, 0, start, end, part="description", **fields)

    marks = [(m.group(1).replace("实用新型内容", "发明内容"), m) for m in _HEADING_LINE.finditer(text)]
    found = [name for name, _ in marks]
    for name in HEADINGS:
        if name not in found and name != "附图说明":
            yield at("CN-DSC-001", 0, 0, text=name)
    order = [HEADINGS.index(name) for name in found]
    for place, (name, match) in enumerate(marks):
        if place and order[place] < max(order[:place]):
            yield at("CN-DSC-002", *match.span(), text=name)
    if has_drawings is not None and has_drawings != ("附图说明" in found):
        where = next((m.span() for name, m in marks if name == "附图说明"), (0, 0))
        yield at("CN-DSC-003", *where)
    for citation in find_citations(text):
        if citation.numbered:
            yield at("CN-DSC-004", citation.start, citation.end, text=citation.text)
    for start, end in hits(text, COMMERCIAL):
        yield at("CN-DSC-005", start, end, text=text[start:end])
    for match in _PICTURE.finditer(text):
        yield at("CN-DSC-006", *match.span())
    yield from _paragraph_numbers(text)
    yield from _sections(text, marks, signs)
    wrong = "本发明" if utility_model else "本实用新型"
    for match in re.finditer(wrong, text):
        yield at("CN-DSC-021", *match.span(), text=wrong)
    for match in _RESIDUE.finditer(text):
        yield at("CN-DSC-023", *match.span(), text=match.group())
    yield from check_vocabulary(text)


def _paragraph_numbers(text: str) -> Iterator[Finding]:
    want = None
    for match in _PARAGRAPH.finditer(text):
        got = int(match.group(1))
        if got != (want or 1) and not (want is None and got >= 1):
            yield finding(
                "CN-DSC-007", 0, *match.span(), part="description", want=f"{want or 1:04d}", got=match.group(1)
            )
        want = got + 1


def _sections(
    text: str, marks: Sequence[tuple[str, re.Match[str]]], signs: Mapping[str, str] | None
) -> Iterator[Finding]:
    for index, (name, match) in enumerate(marks):
        end = marks[index + 1][1].start() if index + 1 < len(marks) else len(text)
        if name == "附图说明":
            numbers = [int(m.group(1)) for m in _FIGURE_ENTRY.finditer(text, match.end(), end)]
            expected = list(range(1, max(numbers, default=0) + 1))
            for n in sorted({n for n in expected if numbers.count(n) != 1}):
                yield finding("CN-DSC-015", 0, match.start(), end, part="description", n=n)
        if name == "具体实施方式":
            for sign in re.finditer(r"(?<=[一-龥])[（(](\d{1,4})[）)]", text[match.end() : end]):
                if signs is None or sign.group(1) in signs:
                    at = match.end() + sign.start()
                    shown = text[max(match.end(), at - 4) : match.end() + sign.end()]
                    yield finding(
                        "CN-DSC-018", 0, at, match.end() + sign.end(), part="description", text=shown
                    )


def check_vocabulary(text: str) -> Iterator[Finding]:
    """Abbreviations without a Chinese name (CN-TRM-007), synonym pairs (008), units (009), foreign names (010)."""
    seen: set[str] = set()
    for match in _ABBREVIATION.finditer(text):
        word = match.group()
        defined = re.search(rf"[一-龥][^（(。]{{0,20}}[（(][^）)]{{0,60}}{word}[^）)]{{0,20}}[）)]|{word}[（(][^）)]*[一-龥]", text)
        if word not in seen and word not in KNOWN_ABBREVIATIONS and not defined:
            yield finding("CN-TRM-007", 0, *match.span(), part="description", text=word)
        seen.add(word)
    for one, other in SYNONYMS:
        at = text.find(other)
        if one in text and at >= 0:
            yield finding("CN-TRM-008", 0, at, at + len(other), part="description", text=f"{one}/{other}", severity="info")
    for match in _UNITS.finditer(text):
        yield finding("CN-TRM-009", 0, *match.span(), part="description", text=match.group().strip())
    for word, start, end in _foreign(text):
        yield finding("CN-TRM-010", 0, start, end, part="description", text=word)


def _foreign(text: str) -> Iterator[tuple[str, int, int]]:
    """First uses of foreign names that stand bare in Chinese text and have no Chinese form before them."""
    seen: set[str] = set()
    for match in _FOREIGN.finditer(text):
        word, before = match.group(), text[: match.start()]
        if word in seen or word in KNOWN_FOREIGN or _inside_bracket(before):
            continue
        seen.add(word)
        beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        if re.search(r"[一-龥]", re.sub(r"\s", "", beside + text[match.end() + 1 : match.end() + 2])) and not re.search(
            rf"[一-龥]\s*[（(][^（()）]{{0,60}}\b{word}\b", before
        ):
            yield word, match.start(), match.end()


def _inside_bracket(before: str) -> bool:
    return max(before.rfind("（"), before.rfind("(")) > max(before.rfind("）"), before.rfind(")"), before.rfind("\n"))
