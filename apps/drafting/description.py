"""The description (说明书): five headings (细则 20), built from the disclosure's sentences and from the claims.

The summary repeats every claim, so that the claims are supported (专利法 26.4); the embodiments are the disclosure's own
words, with drawing signs behind their terms and without brackets. The text calls itself one name throughout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from apps.drafting.invention import SELF_NAMES, Invention
from apps.drafting.sections import lines
from apps.drafting.signs import find_figures, find_signs, is_sign_list, signed

_BACKGROUND = re.compile(r"目前|现有|传统|背景|缺点|缺陷|不足|存在.{0,12}问题|常见的|通常")
_FIELD = re.compile(r"涉及.*领域|属于.*领域|涉及.*技术|具体涉及")
_EFFECT = re.compile(r"有益效果|优点在于|与现有技术相比")
_NUMBERED = re.compile(r"^[（(]?[一二三四五六七八九十\d]{1,2}[)）、.．][ \t]*")
_NAME = re.compile(r"^(?:技术交底书|专利交底书|发明名称|名称)\s*(?:[:：].*)?$|技术交底书$|^发明名称")
_CLAIM_HEAD = re.compile(r"^(?:根据|如)权利要求[^，]*?所述的[^，]*，(?:其特征在于，)?")


def sentences_by_role(text: str) -> dict[str, list[str]]:
    """Paragraphs of a plain disclosure under field, background, effects, figures and body; headings are left out."""
    roles: dict[str, list[str]] = {name: [] for name in ("field", "background", "effects", "figures", "body")}
    for _, line, section in lines(text):
        if section == "heading" or _NAME.search(line) or not re.search(r"[。；;，]", line):
            continue
        if is_sign_list(line) or re.match(r"^(附图标记|图\d+\s*[为是:：])", line):
            roles["figures"].append(line)
        elif section:
            roles[section].append(line)
        else:
            for sentence in re.findall(r"[^。]+。?", line):
                roles[_role(sentence)].append(sentence)
    return {role: [_sentence(line) for line in found] for role, found in roles.items()}


def _role(sentence: str) -> str:
    if _FIELD.search(sentence):
        return "field"
    if _EFFECT.search(sentence):
        return "effects"
    return "background" if _BACKGROUND.search(sentence) else "body"


def _sentence(text: str) -> str:
    text = _NUMBERED.sub("", text.strip()).rstrip("；;，, ")
    return text if re.search(r"[。：:]$", text) else text + "。"


def summary_of(claim_text: str) -> str:
    """A claim as a sentence of the summary: no number, no reference, no 其特征在于."""
    body = _CLAIM_HEAD.sub("", claim_text)
    if body != claim_text:
        return f"进一步地，{body}"
    return claim_text.replace("，其特征在于，", "，").replace("，其特征在于", "")


def build_description(
    invention: Invention, claims: Sequence[dict[str, Any]], disclosure: str, terms: Sequence[str] = ()
) -> dict[str, Any]:
    """The sections of the description; `claims` are {number, text}, `disclosure` is plain text.

    self_names_changed: how often the disclosure's 本发明 became 本实用新型 or the other way round.
    """
    this = invention.self_name(disclosure)
    other = next(name for name in SELF_NAMES if name != this)
    changed = disclosure.count(other)
    disclosure = disclosure.replace(other, this)
    signs = find_signs(disclosure, list(terms) or invention.terms)
    roles = sentences_by_role(disclosure)
    figures = find_figures(disclosure)
    subject = invention.subject.text

    area = _area(" ".join(roles["field"])) or _area(f"涉及{invention.field.text}" if invention.field else "")
    opening = f"{this}涉及{area}技术领域，具体涉及一种{subject}。" if area else f"{this}涉及一种{subject}。"

    background = roles["background"] or ([f"现有技术中，{invention.problem.text}。"] if invention.problem else [])
    aim = f"，以解决{_problem(invention.problem.text)}的问题" if invention.problem else ""
    summary = [f"{this}的目的在于提供一种{subject}{aim}。", f"为实现上述目的，{this}采用以下技术方案。"]
    summary += [_without_links(summary_of(claim["text"])) for claim in claims]
    effects = [_sentence(effect) for effect in roles["effects"]] or [_sentence(value.text) for value in invention.effects]
    if effects:
        summary += [f"与现有技术相比，{this}具有以下有益效果。", *effects]

    notes = [f"图{figure.number}为{_caption(figure.caption)}；" for figure in figures]
    if notes:
        notes[-1] = notes[-1][:-1] + "。"
        if signs:
            listed = sorted(signs.items(), key=lambda item: _order(item[1]))
            notes.append("附图标记：" + "；".join(f"{number}、{term}" for term, number in listed) + "。")

    embodiments = [f"下面结合{'附图和' if notes else ''}实施例对{this}作进一步说明。"]
    embodiments += [signed(line, signs) for line in roles["body"]]
    embodiments += _support(claims, embodiments, signs)
    embodiments.append(f"以上所述仅为{this}的实施例，{this}的保护范围以权利要求书为准。")

    contents = [[opening], background or [f"{subject}的现有结构有待改进。"], summary, notes, embodiments]
    sections = [
        {"heading": heading, "paragraphs": paragraphs}
        for heading, paragraphs in zip(_headings(this), contents, strict=True)
        if paragraphs
    ]
    first = 1
    for section in sections:
        section["first_number"] = first
        first += len(section["paragraphs"])
    drawings = [{"number": figure.number, "caption": _caption(figure.caption)} for figure in figures]
    return {"sections": sections, "signs": signs, "drawings": drawings, "self_names_changed": changed}


def _headings(self_name: str) -> list[str]:
    return f"技术领域 背景技术 {self_name.removeprefix('本')}内容 附图说明 具体实施方式".split()


def _area(text: str) -> str:
    """门锁 of 本发明涉及门锁技术领域; empty when the text names no field."""
    said = re.search(r"(?:涉及|属于)(?:一种)?([^，,。]{2,30}?)(?:的?技术)?领域", text)
    return said[1] if said else ""


def _problem(text: str) -> str:
    return re.sub(r"(的)?(技术)?问题$", "", text.rstrip("。，"))


def _caption(text: str) -> str:
    return text.rstrip("。；; ")


def _order(number: str) -> tuple[int, str]:
    digits = re.match(r"\d+", number)
    return (int(digits[0]) if digits else 0, number)


def _without_links(text: str) -> str:
    """Device and medium claims name claims; the description names the method instead."""
    return re.sub(r"权利要求[\d至或、]+(?:中任一项)?所述的", "上述", text)


def _support(claims: Sequence[dict[str, Any]], written: Sequence[str], signs: dict[str, str]) -> list[str]:
    """One paragraph for each dependent claim whose wording the embodiments do not hold."""
    text = re.sub(r"[\d\W]|所述|优选的?地?", "", "".join(written))
    paragraphs = []
    for claim in claims:
        body = _CLAIM_HEAD.sub("", claim["text"])
        if body == claim["text"] or re.sub(r"[\d\W]|所述", "", body) in text:
            continue
        paragraphs.append(signed(f"在一个实施例中，{body.replace('所述', '')}", signs))
    return paragraphs
