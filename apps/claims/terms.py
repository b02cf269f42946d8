"""Terms and antecedents: what a claim introduces, and every 所述X / 该X that nothing introduces.

A use is resolved when the noun after the marker occurs earlier in its scope: the same claim before the use
and every claim it depends on. The words of the noun come from a general dictionary, so 所述滑块滑动 asks
for 滑块. Bare introductions (内设有蝶板) count; that keeps false alarms rare on published claims.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from .lexicons import PART_ADJECTIVES, PART_PREFIXES
from .parse import Claim, ClaimSet
from .references import blank_quotes, normalise

_MARK = re.compile(r"(?<![如下即])所述及?的?|(?<![应理活])该(?!当)|(?<![如])(?:前述|上述)的?|所说的?")
_NOISE = r"[\s“”\"（(]"
_LEADING = re.compile(
    rf"(?:{_NOISE}|的|至少(?:一|两|二)?[个种条根块对]?|一个或多个|一种或多种|一或多个|多[个种条根块组]|每一?[个种条根]?|各[个种自]?|任[一意]一?[个种]?"
    r"|(?:两|二|三|四|五|六|若干|一|几|数|复数|多)[个种条根块组]|第[一二三四五六七八九十百\d]+[个种级次]?(?:和/?或?|或|、|与|及)第[一二三四五六七八九十\d]+|第[一二三四五六七八九十百\d]+|其中一[个种]|另一?[个种侧]?|全部|所有|相应的?|对应的?|一个|一种|一|经|被|已|额外的?)+"
)
_RUN = re.compile(r"[A-Za-z0-9\u0370-\u03ff_\-’'′]+|[一-龥]+")
_AFTER_SHORT = frozenset("的以和与或及将可中进适具包再叠为是由在从上下被通表内流至经")
_PART_SUFFIXES = frozenset("槽柱管块套仓杆器板件座盖架轴孔环箱片网罩腔室阀泵轮圈销钉筒盘机体源条剂")
_PART_NOUNS = frozenset(
    "机构 组件 构件 部件 装置 单元 模块 本体 主体 框架 弹簧 电机 支架 通孔 缺口 通道 凹槽 凸起 螺栓 螺钉 滑块 导轨 齿轮 "
    "轴承 喷头 喷嘴 喷射器 传感器 控制器 阀门 管道 区域 前体 原料 电极 线圈 开关 手柄 挡板 盖板 底座 底板 垫片 垫圈 密封圈".split()
)
_NOT_NOUN = re.compile(r"(?:权利要求|其|为|是|等|方式|的|情况|时候|类|些|步骤|实施)")


@dataclass(frozen=True)
class Use:
    """A marked use of a term at `[start, end)`; `noun` is the text looked for, `run` the words that follow."""

    start: int
    end: int
    noun: str
    run: str


@cache
def _tokenizer():  # type: ignore[no-untyped-def]
    import jieba

    jieba.setLogLevel(logging.ERROR)
    return jieba.Tokenizer()


@cache
def _tags() -> dict[str, str]:
    """Parts of speech of the dictionary's words."""
    from jieba import posseg

    tagger = posseg.POSTokenizer(_tokenizer())
    tagger.initialize()
    return tagger.word_tag_tab


@cache
def words_of(run: str) -> tuple[str, ...]:
    """The dictionary words of the start of a run of Han characters."""
    return tuple(_tokenizer().cut(run[:12], HMM=False))


def plain_text(text: str) -> str:
    """Same length: digits and ordinals normalised, drawing signs and white space inside left in place."""
    return normalise(text)


def uses(claim: Claim) -> Iterator[Use]:
    """Marked uses of `claim`, those inside its references left out."""
    text = blank_quotes(plain_text(claim.text))
    spans = [(c.start, c.end) for c in claim.citations]
    for mark in _MARK.finditer(text):
        if any(low <= mark.start() < high for low, high in spans):
            continue
        at = mark.end()
        leading = _LEADING.match(text, at)
        start = leading.end() if leading else at
        run = _RUN.match(text, start)
        if run is None and leading:
            start, run = at, _RUN.match(text, at)
        if run is None or _NOT_NOUN.match(run.group()):
            continue
        words = run.group()
        yield Use(mark.start(), start + len(noun_of(words)), noun_of(words), words)


def noun_of(run: str) -> str:
    """The part of a run that must have been introduced: its first word, at least two characters.

    A one-character noun stands alone only before a function word (所述泵适于, 该板的).
    """
    if not "\u4e00" <= run[0] <= "\u9fff":
        return run
    word = words_of(run)[0]
    if len(word) == 1 and (len(run) == 1 or run[1] in _AFTER_SHORT):
        return word
    return run[: max(2, len(word))]


def compound_of(run: str) -> str:
    """First word and part noun where the first word only qualifies it (驱动机构, 滑动柱), else ""."""
    words = words_of(run) if "\u4e00" <= run[0] <= "\u9fff" else ()
    if len(words) < 2 or len(words[0]) < 2:
        return ""
    head = words[1]
    return words[0] + head if head in _PART_NOUNS or (len(head) == 1 and head in _PART_SUFFIXES) else ""


def self_made(run: str) -> str:
    """The name at the start of a run of Han characters when a general adjective makes it look coined (灵动片), else ""."""
    words = words_of(run) if "\u4e00" <= run[0] <= "\u9fff" else ()
    if len(words) < 2 or len(words[0]) < 2 or words[1] not in _PART_SUFFIXES:
        return ""
    if words[0] in PART_ADJECTIVES or words[0][0] in PART_PREFIXES:
        return ""
    return words[0] + words[1] if _tags().get(words[0]) == "a" else ""


@lru_cache(maxsize=4096)
def squeeze(text: str) -> str:
    """Text for look-up: white space and bracketed drawing signs removed, ordinals normalised, upper case."""
    return re.sub(r"[（(〔\[][0-9A-Za-z,，、’'′\-～~]{1,12}[）)〕\]]|\s+", "", plain_text(text)).upper()


class Scope:
    """What each claim of a set can refer back to."""

    def __init__(self, claims: ClaimSet):
        self.claims = claims
        self._squeezed: dict[int, str] = {}
        self._every: dict[tuple[int, str], bool] = {}

    def text(self, claim: Claim) -> str:
        """The claim text squeezed for look-up."""
        if id(claim) not in self._squeezed:
            self._squeezed[id(claim)] = squeeze(claim.text)
        return self._squeezed[id(claim)]

    def any_path(self, claim: Claim, noun: str) -> bool:
        """Whether some ancestor states `noun`."""
        return any(noun in self.text(parent) for parent in self.claims.ancestors(claim))

    def every_path(self, claim: Claim, noun: str) -> bool:
        """Whether every alternative of the reference leads to a claim that states `noun`."""
        parents = self.claims.parents(claim)
        return bool(parents) and all(self._reaches(parent, noun) for parent in parents)

    def _reaches(self, claim: Claim, noun: str) -> bool:
        key = (id(claim), noun)
        if key not in self._every:
            beyond = self.any_path if claim.by_reference else self.every_path
            self._every[key] = noun in self.text(claim) or beyond(claim, noun)
        return self._every[key]


def known_term_at(run: str, known: Sequence[str]) -> str:
    """The longest known term the run starts with, else ""."""
    return max((term for term in known if term and run.startswith(term)), key=len, default="")


def unresolved(claims: ClaimSet, known_terms: Iterable[str] = ()) -> Iterator[tuple[Claim, Use, bool]]:
    """Uses without antecedent as (claim, use, introduced on some path); each noun once per claim.

    A known term at a use site is looked for whole; otherwise the first word of the noun is.
    """
    scope = Scope(claims)
    known = sorted(known_terms)
    for claim in claims.claims:
        reported: set[str] = set()
        for use in uses(claim):
            term_known = known_term_at(use.run, known)
            noun = (term_known or use.noun).upper()
            before = squeeze(claim.text[: use.start])
            compound = "" if term_known else compound_of(use.run).upper()
            for name in filter(None, (noun, compound)):
                if name in reported or name in before:
                    continue
                some = scope.any_path(claim, name)
                if some and (claim.by_reference or scope.every_path(claim, name)):
                    continue
                reported.add(name)
                yield claim, replace(use, end=use.end - len(use.noun) + len(name), noun=name), some
                break
