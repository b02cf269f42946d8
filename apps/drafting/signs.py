"""Drawing signs and figures that a disclosure names.

    find_signs("壳体（1）内设有电机2。")  ->  {"壳体": "1", "电机": "2"}
    find_figures("图1为整体结构示意图。")  ->  [Figure("1", "整体结构示意图")]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import jieba

jieba.setLogLevel("WARNING")

_HAN = "\u4e00-\u9fff"
_NUMBER = r"[1-9]\d{0,3}[a-zA-Z]?'?"
_BRACKETED = re.compile(rf"(?<=[{_HAN}])[（(]({_NUMBER})[）)]")
_UNITS = "个次度级秒小时天日年月周米毫厘克千百万倍层条根片块种组位层阶步页项名台套件人维号种至到"
_INLINE = re.compile(rf"(?<=[{_HAN}])([1-9]\d{{0,3}})(?![\d.．%％℃°～~\-—–a-zA-ZΩμ/×+=:：]|分(?!别)|[{_UNITS}](?![设接装])|、\s*\d)")
_LIST_LINE = re.compile(r"^.*(附图标记|标号|图中)[^。\n]*[:：]?", re.M)
_LIST_ITEM = re.compile(rf"({_NUMBER})\s*[-—–、.．:：]\s*([{_HAN}]{{2,14}})(?=[，,；;。、\s]|$)")
_DASH_ITEM = re.compile(rf"({_NUMBER})\s*[-—–]+\s*([{_HAN}]{{2,14}})(?=[，,；;。、\s]|$)")
_FIGURE = re.compile(r"图\s*(\d+)\s*(?:是|为|[:：]|[-—–])\s*([^。；;\n]+)")
# Words in front of a number that make it a count, a value or a reference.
_NOT_A_PART = re.compile(
    r"(图|附图|步骤|实施例|权利要求|第|约|为|是|至|到|大于|小于|等于|不低于|不超过|超过|低于|高于|达|达到|取|式|公式|表|版本|类型|方案|"
    r"参数|温度|速度|长度|宽度|高度|厚度|直径|角度|压力|时间|浓度|含量|次数|比例|近|前|每|于|和|与|或|及|在|的|有|了|由|选|最多|最少|至少)$"
)


@dataclass(frozen=True)
class Figure:
    number: str
    caption: str


def find_figures(text: str) -> list[Figure]:
    """Figures with a caption, in the order of their numbers; the first caption of a number wins."""
    found: dict[str, Figure] = {}
    for match in _FIGURE.finditer(text):
        number, caption = match[1], match[2].strip(" ，,*`")
        if 2 <= len(caption) <= 60:
            found.setdefault(number, Figure(number, caption))
    return sorted(found.values(), key=lambda figure: int(figure.number))


def find_signs(text: str, terms: Sequence[str] = ()) -> dict[str, str]:
    """Term -> sign. `terms` (known parts) settle where a term begins; without them the last word does.

    A sign belongs to one term and a term has one sign: the first reading wins.
    """
    readings: list[tuple[str, str]] = [(term, number) for number, term in _listed(text)]
    readings += [(_term_before(text, at, terms), number) for at, _, number in _marks(text)]
    signs: dict[str, str] = {}
    for term, number in readings:
        if len(term) > 1 and term not in signs and number not in signs.values():
            signs[term] = number
    return signs


def unsigned(text: str) -> tuple[str, list[int]]:
    """The text without its drawing signs, and for each character left its offset in `text`."""
    marks = [(start, end) for start, end, _ in _marks(text)]
    kept: list[int] = []
    at = 0
    for start, end in marks:
        kept.extend(range(at, start))
        at = end
    kept.extend(range(at, len(text)))
    return "".join(text[offset] for offset in kept), kept


def unbracketed(text: str) -> str:
    """壳体（1） -> 壳体1: the description carries signs without brackets (指南 II-2-2.2.6)."""
    return _BRACKETED.sub(r"\1", text)


def signed(text: str, signs: dict[str, str]) -> str:
    """The text with a sign after every term that has one and does not carry it yet."""
    if not signs:
        return text
    names = "|".join(re.escape(term) for term in sorted(signs, key=len, reverse=True))
    return re.sub(rf"({names})(?![\d（(])", lambda match: match[1] + signs[match[1]], unbracketed(text))


def is_sign_list(line: str) -> bool:
    """Whether a line only explains signs (1-壳体，2-电机 ...)."""
    return len(_listed(line)) >= 2


def _listed(text: str) -> list[tuple[str, str]]:
    """(sign, term) of the lines that explain signs."""
    found: list[tuple[str, str]] = []
    headed = False
    for line in text.splitlines():
        items = _DASH_ITEM.findall(line)
        label = _LIST_LINE.match(line)
        if label or headed:
            items = _LIST_ITEM.findall(line)
        if label or len(items) >= 2 or (headed and items):
            found += items
        headed = bool(label) or (headed and bool(items))
    return found


def _marks(text: str) -> list[tuple[int, int, str]]:
    """(start, end, sign) of the signs that stand behind a term, brackets included."""
    bracketed = [
        (m.start(), m.end(), m[1]) for m in _BRACKETED.finditer(text) if not _NOT_A_PART.search(text[: m.start()][-4:])
    ]
    inline = [
        (m.start(), m.end(), m[1]) for m in _INLINE.finditer(text) if not _NOT_A_PART.search(text[: m.start()][-4:])
    ]
    # A stray number is not a sign: a text that writes signs inline writes several.
    if len({number for _, _, number in inline}) < 2 and not bracketed:
        listed = {number for number, _ in _listed(text)}
        inline = [mark for mark in inline if mark[2] in listed]
    return sorted(bracketed + inline)


def _term_before(text: str, at: int, terms: Sequence[str]) -> str:
    run = re.search(rf"[{_HAN}]*$", text[max(0, at - 14) : at])
    before = run[0] if run else ""
    known = [term for term in terms if before.endswith(term)]
    if known:
        return max(known, key=len)
    words = list(jieba.cut(before))
    return words[-1] if words else ""
