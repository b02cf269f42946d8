"""The words that a claim may use: the disclosure's own, cut with the matter's terms, and the claim connectives.

Left out are vague words (指南 II-2-3.2.2) and words that point outside the claim (the description, the drawings).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import jieba
import jieba.posseg

jieba.setLogLevel("WARNING")

CONNECTIVES = Path(__file__).resolve().parents[2] / "grammars" / "connectives_zh.txt"
# 指南 II-2-3.2.2: words that leave the scope of protection unclear, and words of advertising.
VAGUE = frozenset(
    "大约 约 大概 接近 基本 基本上 例如 比如 诸如 如 优选 优选地 优选为 优选的 最好 最好是 较佳 尤其 尤其是 特别 特别是 必要时 等 等等 或类似物 类似 类似物 "
    "高温 高压 强 弱 厚 薄 很 很宽 较 较大 较小 较高 较低 适当 适量 适宜 合适 可选 可选地 任选 也许 可能 一般 通常 若干 许多 大量 少量 之类 良好 优异 最佳 更好 "
    "便宜 先进 美观 方便 极 非常 十分 明显 显著 等人 可以 也可以 也可 还可以 还可".split()
)
# The claim speaks of itself only; numbers of claims belong to the host.
OUTSIDE = frozenset(
    "本发明 本实用新型 本申请 本案 发明 专利 交底书 技术交底书 附图 如图 图 图示 所示 说明书 实施例 实施方式 权利要求 权利 要求 所述 该 该些 上述 前述 一种 其特征在于 特征在于 特征 "
    "现有技术 背景技术 技术领域 发明内容 具体实施方式 附图说明 技术方案 有益效果 目前 现有 我们 发明人 作者 所 述".split()
)
_WORD = re.compile(r"[\u4e00-\u9fffA-Za-z0-9.%％℃°～~\-/×±μΩ]+")
# A value is one word with its unit, its range and its ratio: 300r/min, 2mm～4mm, 100：（8～15）：（1～3）.
_NUMBER = r"\d+(?:\.\d+)?(?:×10\^?-?\d+)?(?:[a-zA-Zμ°℃%％‰Ω²³·/^]+\d?(?![\d.]))*"
_SPAN = rf"{_NUMBER}(?:\s?[～~\-–—±×]\s?{_NUMBER})*"
_GROUP = rf"(?:（{_SPAN}）|\({_SPAN}\)|{_SPAN})"
QUANTITY = re.compile(rf"(?<![A-Za-z\d.]){_GROUP}(?:[：:]{_GROUP})*")
_JUNK = re.compile(r"[.\-/~～]+|图\d*")
# Two parts in one breath are two terms, each known by itself.
_JOINED = re.compile(r".{2,}[和与及、].{2,}")
# Parts of speech (ICTCLAS) that qualify the noun behind them: 旋转式硅油 in front of 阻尼器.
_QUALIFIES = frozenset(["n", "nz", "ng", "b", "a", "l", "eng"])
# Nouns of place and direction in front of a part belong to what stands before them: 另一端朝向卡槽.
_PLACE = re.compile(r"[端侧处向边上下内外中间面部]$|^朝")
# Verbs that the tagger takes for nouns: 风机泵入气管, 使得卡块, 利用模型.
VERBAL = re.compile(r"[入出到在有得着过住用]$|^使")
# What a name stands behind.
_NAMING = re.compile(r"(?:为|是|用|包括|有|所述|种|个|组|的|和|与|在|[^\u4e00-\u9fff])$")
# A character that may belong to a name: no particle, no verb of one character.
_IN_NAME = re.compile(r"[\u4e00-\u9fff](?<![的地得有在和与及或个组述为是于以用将把被使对由从向至到其该各每两一二三四多带设置接定装着了过])")
_MAX_COMPOUND = 12
# A part named with one of these behind it is another part: 弹簧 and 弹簧座.
_PART_TAILS = "座孔槽板架杆轴轮盘套块片管盖环组"


def word_bounds(text: str, terms: Iterable[str]) -> list[int]:
    """Offsets between words; a term or a value is one word, cut at its ends and nowhere inside."""
    cuts, end = {0}, 0
    for word in jieba.cut(text):
        end += len(word)
        cuts.add(end)
    whole = [QUANTITY, *(re.compile(re.escape(term)) for term in sorted(set(terms), key=len))]
    for pattern in whole:
        for match in pattern.finditer(text):
            cuts.difference_update(range(match.start() + 1, match.end()))
            cuts.update(match.span())
    return sorted(cuts)


@cache
def connectives(path: Path = CONNECTIVES) -> tuple[str, ...]:
    """The connective lexicon, in file order, without repetition."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return tuple(dict.fromkeys(word for line in lines for word in line.split()))


def claim_words(source: str, terms: Sequence[str]) -> list[str]:
    """Strings for the WORD slot of a claim: words of the disclosure, the terms, the connectives."""
    bounds = word_bounds(source, terms)
    cut = (source[left:right] for left, right in zip(bounds, bounds[1:], strict=False))
    usable = [word for word in cut if _usable(word)]
    return list(dict.fromkeys([*terms, *usable, *connectives()]))


# Residue at the start of a clause; the end of 良好的 elsewhere.
INSIDE_WORDS = "好的，"


def forbidden(terms: Sequence[str], source: str = "") -> list[str]:
    """Strings that no claim may hold however they are put together, except inside a term of the matter: vague words, and
    左右 behind a value of the source (3mm左右, unlike 左右两侧)."""
    from apps.claims.lexicons import COMMERCIAL, FOREIGN_TERMS, RESIDUE, SELF_NAMES, VAGUE_HARD, VAGUE_HOUSE

    words = (*VAGUE_HARD, *VAGUE_HOUSE, *SELF_NAMES, *COMMERCIAL, *FOREIGN_TERMS, *(word for word in RESIDUE if word != INSIDE_WORDS))
    clean = [word for word in words if not any(word in term for term in terms)]
    return clean + [f"{match[0]}左右" for match in QUANTITY.finditer(source)] + bare_signs(terms, source)


def bare_signs(terms: Sequence[str], source: str = "") -> list[str]:
    """壳体1 and the like: in claims and abstract a drawing sign stands in brackets (细则 22.4, 指南 II-2-2.4).

    What the source, which has no signs, writes so is an amount: 食盐20g.
    """
    return [sign for term in terms for digit in range(1, 10) if (sign := f"{term}{digit}") not in source]


def extended_terms(source: str, terms: Sequence[str]) -> list[str]:
    """The terms and their relatives in the disclosure: 第一弹簧, 弹簧座, 旋转式硅油弹簧 beside 弹簧; 挡块和扭簧 is no term, nor is a
    term that stands nowhere but inside another."""
    found = [term for term in terms if not _JOINED.fullmatch(term)]
    for term in list(found):
        for match in re.finditer(rf"(?:第[一二三四])?{re.escape(term)}[{_PART_TAILS}]?", source):
            tail = match[0][-1] if len(match[0]) and match[0][-1] in _PART_TAILS else ""
            following = source[match.end() : match.end() + 1]
            # 弹簧管理 is not 弹簧管: the dictionary decides where the tail begins a longer word.
            if tail and not match[0].endswith(term) and len(list(jieba.cut(tail + following))) == 1 and following:
                continue
            found.append(match[0])
    return introduced([source], list(dict.fromkeys([*found, *(whole_name(name, source) for name in _compounds(source, found))])))


def whole_name(name: str, clean: str) -> str:
    """进料斗 for 料斗: with the characters that stand in front of it everywhere, in changing company."""
    while True:
        at = [match.start() for match in re.finditer(re.escape(name), clean)]
        before = {clean[start - 1 : start] for start in at}
        further = {clean[max(start - 2, 0) : start - 1] for start in at}
        if len(before) != 1 or len(further) < 2 or not re.fullmatch(_IN_NAME, next(iter(before))):
            return name
        name = next(iter(before)) + name


def _compounds(source: str, terms: Sequence[str]) -> Iterator[str]:
    for term in dict.fromkeys(terms):
        for match in re.finditer(re.escape(term), source):
            before = re.split(r"[^\u4e00-\u9fffA-Za-z]", source[max(0, match.start() - _MAX_COMPOUND) : match.start()])[-1]
            qualifier = ""
            for word, flag in reversed([tuple(pair) for pair in jieba.posseg.cut(before)]):
                if flag not in _QUALIFIES or _PLACE.search(word) or VERBAL.search(word) or not _usable(word) or len(word + qualifier + term) > _MAX_COMPOUND:
                    break
                qualifier = word + qualifier
            # Two known terms in a row, or a word that may be a verb there (使清理挡板), are a compound only when the
            # disclosure keeps writing them so.
            joined = any(qualifier.endswith(other) for other in terms)
            named = _NAMING.search(before.removesuffix(qualifier) or source[: match.start() - len(before)][-1:] or "，")
            often = source.count(qualifier + term) > 1
            if (len(qualifier) > 1 or _IN_NAME.fullmatch(qualifier)) and (often or named and not joined and len(qualifier) > 1):
                yield qualifier + term


def introduced(texts: Iterable[str], terms: Sequence[str]) -> list[str]:
    """Terms that occur in the texts, leftmost and longest first, in the order of `terms`."""
    if not terms:
        return []
    pattern = re.compile("|".join(re.escape(term) for term in sorted(terms, key=len, reverse=True)))
    seen = {match for text in texts for match in pattern.findall(text)}
    return [term for term in terms if term in seen]


def with_antecedents(text: str, terms: Sequence[str], scope: Sequence[str]) -> str:
    """The text with 所述 in front of every term that `scope` or the text itself introduced before."""
    if not terms:
        return text
    known = set(scope)

    def refer(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - 3) : match.start()]
        if match[0] in known and not before.endswith(("所述", "所述的", "该")):
            return f"所述{match[0]}"
        known.add(match[0])
        return match[0]

    names = sorted(terms, key=len, reverse=True)
    return re.sub("|".join(re.escape(term) for term in names), refer, text)


def _usable(word: str) -> bool:
    return (
        bool(_WORD.fullmatch(word) or QUANTITY.fullmatch(word)) and not _JUNK.fullmatch(word) and word not in VAGUE and word not in OUTSIDE
    )
