"""Writes the examples of the complete documents: right ones put together from `seeds`, wrong ones with one fault each.

    python -m rules_fixtures.generate

A line of positive.jsonl is {"text", "context"?}; of negative.jsonl {"text", "reason", "context"?, "strict"?}, where the
reason is the code of the fault that was put in. The readers take no part here: the faults are known beforehand. The
claim sets beside them (claims_zh) are written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rules_fixtures.seeds import SEEDS, Seed

ROOT = Path(__file__).resolve().parent
Example = dict[str, Any]
NUMERALS = "一二三四五六七八九十"


def good(text: str, **more: Any) -> Example:
    return {"text": text, **more}


def bad(reason: str, text: str, **more: Any) -> Example:
    return {"text": text, "reason": reason, **more}


# Titles


def titles() -> Iterator[Example]:
    for seed in SEEDS:
        name = seed.subject
        yield good(name)
        yield good(f"一种{name}")
        yield good(f"一种{name}", context={"title": name})
        yield good(f"用于{seed.field}的{name}")
        yield good(f"一种带有PLC控制的{name}")
        yield good(f"{name}和{name[-2:]}的检验方法")
        yield good(f"一种（改性）{name}")
        yield good(f"{name}、其控制装置及计算机可读存储介质")
        yield good(f"一种{name}及其应用")


def bad_titles() -> Iterator[Example]:
    for seed in SEEDS:
        name = f"一种{seed.subject}"
        yield bad("title-label", f"发明名称：{name}")
        yield bad("title-stop", f"{name}。")
        yield bad("title-line", f"{name}\n{seed.field}")
        yield bad("title-model", f"一种XZ-300型{seed.subject}")
        yield bad("title-mark", f"一种灵捷®{seed.subject}")
        yield bad("title-long", f"一种{'可同时用于多种场合并便于安装和拆卸以及日常维护和远程监测且能耗低而寿命长的' * 2}{seed.subject}")
        yield bad("vague-tail", f"{name}及其他")
        yield bad("publicity", f"一种国际领先的{seed.subject}")
        yield bad("refers-to-papers", f"本发明的{seed.subject}")
        yield bad("character", f"一种{seed.subject}$")
        yield bad("title-other", name, context={"title": f"{seed.subject}的安装结构"})
    for name in ("方法", "装置", "一种装置", "一种系统", "设备", "一种组合物"):
        yield bad("generic", name)
    for name in ("待定名", "一种XXX装置", "一种TODO"):
        yield bad("residue", name)
    yield bad("title-over-25", "一种用于大跨度桥梁伸缩缝的带有太阳能供电的远程自动监测装置", strict=True)


# Abstracts


def abstract(seed: Seed) -> str:
    return (
        f"{seed.this}公开了一种{seed.subject}，属于{seed.field}技术领域，用于解决{seed.problem}的问题。"
        f"所述{seed.subject}{seed.solution}。{seed.effect}。"
    )


def signed(seed: Seed, open_: str = "（", close: str = "）") -> str:
    text = seed.solution
    for number, part in enumerate(seed.parts, 1):
        text = text.replace(part, f"{part}{open_}{number}{close}", 1)
    return text


def abstracts() -> Iterator[Example]:
    for seed in SEEDS:
        name, text = seed.subject, abstract(seed)
        yield good(text, context={"title": f"一种{name}"})
        yield good(f"{text}\n摘要附图：图1")
        yield good(f"{text}\n附图：图{len(seed.figures)}。")
        yield good(f"一种{name}，{signed(seed)}。{seed.effect}。", context={"title": name})
        yield good(f"一种{name}，{signed(seed, '(', ')')}。其有益效果在于，{seed.effect}。")
        yield good(f"{seed.this}涉及{seed.field}，尤其涉及{name}；{name}{seed.solution}；{seed.effect}。")
        yield good(f"本申请提供了{name}。{seed.background}；为此，{name}{seed.solution}，{seed.effect}。")
        yield good(f"　　{text}")
        yield good(f"{name}，它{seed.solution}。使用时，{seed.effect}，适用于{seed.field}领域。\n")


def bad_abstracts() -> Iterator[Example]:
    for seed in SEEDS:
        name, text = seed.subject, abstract(seed)
        yield bad("heading", f"摘要：{text}")
        yield bad("section-label", f"技术领域：{seed.field}。技术方案：一种{name}，{seed.solution}。")
        yield bad("paragraph-number", f"[0001] {text}")
        yield bad("paragraphs", text.replace("。", "。\n", 1))
        yield bad("no-stop", text[:-1])
        yield bad("designation", f"{text}\n摘要附图：见图")
        yield bad("too-long", text + f"进一步地，{seed.solution}，" * 8 + "等效。")
        yield bad("no-title", text, context={"title": f"一种{name}的检验台"})
        yield bad("publicity", f"{text}该技术国际领先。")
        yield bad("refers-to-claims", f"{text[:-1]}，并具有权利要求1的特征。")
        yield bad("refers-to-description", text.replace("所述", "如图1所示，所述", 1))
        yield bad("residue", f"{text}待补充。")
        yield bad("type-word", f"{text}{'本发明' if seed.utility else '本实用新型'}结构简单。")
        yield bad("character", text.replace("，", "`，", 1))
    for seed in SEEDS[:4]:
        yield bad("item-number", f"一种{seed.subject}，{seed.solution}。1、{seed.effect}。")
        yield bad("no-gist", f"一种{seed.subject}，效果很好。")


# Descriptions


class Description:
    """A description by its parts; `build` writes it. numbered: paragraphs carry [0001]. heads: how a heading is written."""

    def __init__(self, seed: Seed, numbered: bool = True, figures: bool = True):
        self.seed, self.numbered, this = seed, numbered, seed.this
        self.title = f"一种{seed.subject}"
        self.before: list[str] = []
        listed = [f"图{n}是{this}的{figure}；" for n, figure in enumerate(seed.figures, 1)]
        signs = "附图标记：" + "；".join(f"{n}、{part}" for n, part in enumerate(seed.parts, 1)) + "。"
        shown = "结合图1说明具体结构。" if figures else ""
        self.sections = [
            ("技术领域", [f"{this}涉及{seed.field}技术领域，具体涉及一种{seed.subject}。"]),
            ("背景技术", [f"{seed.background}。", "因此有必要改进现有技术。"]),
            (
                f"{this.removeprefix('本')}内容",
                [
                    f"{this}所要解决的技术问题是{seed.problem}。",
                    f"为解决上述技术问题，提供一种{seed.subject}，{seed.solution}。",
                    f"与现有技术相比，{this}的有益效果是：{seed.effect}。",
                ],
            ),
            *([("附图说明", [*listed[:-1], listed[-1][:-1] + "。", signs])] if figures else []),
            ("具体实施方式", [f"下面对{this}作进一步说明。{shown}", f"{seed.embodiment}。", "实施例2", "在另一实施例中，各参数可以调整。"]),
        ]

    def build(self) -> str:
        lines, number = [self.title], 0
        for line in self.before:
            number += 1
            lines.append(f"[{number:04d}]  {line}" if self.numbered else line)
        for heading, paragraphs in self.sections:
            lines.append(heading)
            for paragraph in paragraphs:
                number += 1
                lines.append(f"[{number:04d}]  {paragraph}" if self.numbered else paragraph)
        return "\n".join(lines) + "\n"


def descriptions() -> Iterator[Example]:
    for seed in SEEDS:
        for numbered in (True, False):
            for figures in (True, False):
                yield good(Description(seed, numbered, figures).build(), context={"title": seed.subject})
        divided = Description(seed)
        divided.before = ["本申请是申请日为2024年3月1日、申请号为202410123456.5、发明名称为“收纳架”的申请的分案申请。"]
        yield good(divided.build())
        introduced = Description(seed)
        introduced.sections[3][1].insert(0, "为了更清楚地说明技术方案，下面对附图作简单介绍，其中：")
        yield good(introduced.build())
        subfigures = Description(seed, numbered=False)
        subfigures.sections[3] = ("附图说明", ["图1a为整体的立体图；", "图1b为整体的侧视图；", "图2示出了各部分的连接关系。"])
        yield good(subfigures.build())
        one_line = Description(seed)
        one_line.sections[3] = ("附图说明", ["图1是整体图；图2是局部图，其中省略了外壳；图3至图5为各步骤的示意图。"])
        one_line.sections[4][1].append("如图4所示，各部分依次连接。")
        yield good(one_line.build())
        formula = Description(seed)
        formula.sections[4][1].extend(["η＝Q1/Q2", "其中，Q1为输出热量，Q2为输入热量。"])
        yield good(formula.build())


def changed(seed: Seed, change: Callable[[Description], Any], numbered: bool = True) -> str:
    made = Description(seed, numbered)
    change(made)
    return made.build()


DESCRIPTION_FAULTS: tuple[tuple[str, Callable[[Description], Any]], ...] = (
    ("missing-field", lambda d: d.sections.pop(0)),
    ("missing-background", lambda d: d.sections.pop(1)),
    ("missing-summary", lambda d: d.sections.pop(2)),
    ("missing-figures", lambda d: d.sections.pop(3)),
    ("missing-embodiments", lambda d: d.sections.pop(4)),
    ("empty-section", lambda d: d.sections[4][1].clear()),
    ("title-label", lambda d: setattr(d, "title", f"发明名称：{d.title}")),
    ("title-label", lambda d: setattr(d, "title", f"{d.title}。")),
    ("title-long", lambda d: setattr(d, "title", d.title + "及其在各种场合中的安装、调试、运行、维护、检验和回收方法以及用于实施这些方法的专用设备与系统和计算机可读存储介质以及服务器")),
    ("title-form", lambda d: setattr(d, "title", f"{d.title}！")),
    ("figure-form", lambda d: d.sections[3][1].__setitem__(0, "图1 整体；")),
    ("sign-form", lambda d: d.sections[3][1].__setitem__(-1, "附图标记：1、底座；2、。")),
    ("figure-order", lambda d: d.sections[3][1].__setitem__(0, "图2是另一幅图；")),
    ("figure-number", lambda d: d.sections[3][1].__setitem__(0, "图一是整体图；")),
    ("figure-number", lambda d: d.sections[3][1].__setitem__(0, "附图1是整体图；")),
    ("figure-unknown", lambda d: d.sections[4][1].append("如图9所示，各部分依次连接。")),
    ("sign-twice", lambda d: d.sections[3][1].__setitem__(-1, "附图标记：1、底座；1、轴。")),
    ("no-problem", lambda d: d.sections.__setitem__(2, (d.sections[2][0], ["提供一种产品，包括外壳。", "其有益效果是外壳坚固。"]))),
    ("no-effect", lambda d: d.sections.__setitem__(2, (d.sections[2][0], ["所要解决的技术问题是外壳松动。", "提供一种产品，包括外壳。"]))),
    ("type-word", lambda d: d.sections[4][1].append(f"{'本发明' if d.seed.utility else '本实用新型'}不限于此。")),
    ("refers-to-claims", lambda d: d.sections[2][1].append("还提供如权利要求1所述的产品。")),
    ("publicity", lambda d: d.sections[2][1].append("该产品填补国内空白，市场前景广阔。")),
    ("residue", lambda d: d.sections[1][1].append("此处待补充。")),
    ("picture", lambda d: d.sections[4][1].append("![结构](a.png)")),
)  # fmt: skip


def bad_descriptions() -> Iterator[Example]:
    for at, (reason, change) in enumerate(DESCRIPTION_FAULTS):
        for seed in (SEEDS * 2)[at % len(SEEDS) :][:4]:
            yield bad(reason, changed(seed, change))
    for seed in SEEDS[:4]:
        text = Description(seed).build()
        lines = text.split("\n")
        yield bad("number-order", text.replace("[0003]", "[0004]", 1))
        yield bad("number-form", text.replace("[0003]", "[003]", 1))
        yield bad("number-form", text.replace("[0003]", "【0003】", 1))
        yield bad("numbering-mixed", text.replace("[0003]  ", "", 1))
        yield bad("heading-order", "\n".join([*lines[:-1], "背景技术", "[9999]  再次说明背景。", ""]))
        yield bad("heading-order", changed(seed, lambda d: d.sections.insert(1, d.sections.pop(2))))
        yield bad("title-other", text, context={"title": f"{seed.subject}的安装架"})
        yield bad("heading-form", text.replace("\n背景技术\n", "\n【背景技术】\n", 1), strict=True)
        yield bad("heading-order", changed(seed, lambda d: d.sections.insert(1, d.sections.pop(2)), numbered=False))


# Figure notes


def notes(seed: Seed, verb: str = "是", stop: str = "；", signs: bool = True, mark: str = "、") -> str:
    lines = [f"图{n}{verb}{seed.this}的{figure}" for n, figure in enumerate(seed.figures, 1)]
    text = f"{stop}\n".join(lines) + "。"
    return text + "\n附图标记：" + "；".join(f"{n}{mark}{part}" for n, part in enumerate(seed.parts, 1)) + "。" if signs else text


def drawings() -> Iterator[Example]:
    for seed in SEEDS:
        yield good(notes(seed))
        yield good(notes(seed, signs=False))
        yield good(notes(seed, verb="为", mark="-"))
        yield good(notes(seed, verb="示出了", stop="。"))
        yield good(notes(seed, verb="：", mark="："))
        yield good(f"附图说明\n{notes(seed)}")
        yield good(f"附图说明\n下面结合附图对{seed.this}作简单介绍：\n{notes(seed, signs=False)}")
        numbered = [f"[{n:04d}]  {line}" for n, line in enumerate(notes(seed).split("\n"), 12)]
        yield good("\n".join(numbered))
        yield good(f"图1a是{seed.subject}的主视图；\n图1b是{seed.subject}的俯视图；\n图2(a)为局部图；\n图2(b)为局部放大图。")
        yield good(f"图1是{seed.subject}的整体图；图2是局部图，其中省略了外壳。\n图中：1-{seed.parts[0]}，2-{seed.parts[1]}，21a-{seed.parts[2]}。")
        yield good(f"图1至图3为{seed.subject}在各阶段的示意图；\n图4和图5是装配图。")


def bad_drawings() -> Iterator[Example]:
    for seed in SEEDS:
        text, name = notes(seed), seed.subject
        first = f"图1是{seed.this}的"
        yield bad("figure-number", text.replace(first, f"图一是{seed.this}的", 1))
        yield bad("figure-number", text.replace(first, f"附图1是{seed.this}的", 1))
        yield bad("figure-form", text.replace(first, f"图1{seed.field}", 1))
        yield bad("figure-order", f"图1是{name}的立体图；\n图3是{name}的剖视图。")
        yield bad("figure-order", f"图2是{name}的立体图；\n图1是{name}的剖视图。")
        yield bad("figure-twice", f"图1是{name}的立体图；\n图1是{name}的剖视图。")
        yield bad("no-stop", notes(seed, signs=False)[:-1])
        yield bad("sign-twice", text.replace("；2、", "；1、", 1))
        yield bad("sign-nameless", text.replace(f"1、{seed.parts[0]}", "1", 1))
        yield bad("sign-form", text.replace(f"1、{seed.parts[0]}", f"甲、{seed.parts[0]}", 1))
        yield bad("refers-to-claims", text.replace(first, f"{first}权利要求1所述的", 1))
    for seed in SEEDS[:4]:
        text = notes(seed)
        yield bad("empty-signs", f"{notes(seed, signs=False)}\n附图标记：")
        yield bad("publicity", text.replace("的", "的国际领先的", 1))
        yield bad("residue", text.replace("的", "的待补充的", 1))
        other = "本发明" if seed.utility else "本实用新型"
        yield bad("type-word", f"图1是{seed.this}的立体图；\n图2是{other}的剖视图。")
        numbered = [f"[{n:04d}]  {line}" for n, line in enumerate(text.split("\n"), 12)]
        yield bad("number-order", "\n".join([numbered[0].replace("[0012]", "[0010]"), *numbered[1:]]))


# Replies


def check_digit(digits: str) -> str:
    rest = sum(int(digit) * weight for digit, weight in zip(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5), strict=True)) % 11
    return "X" if rest == 10 else str(rest)


class Reply:
    """A reply by its parts; `build` writes it."""

    def __init__(self, seed: Seed, index: int, round_: str = "一", agency: bool = True, amended: bool = True):
        digits = f"2024{10 + index:02d}{100000 + 7919 * index:06d}"
        self.seed = seed
        self.head = [
            f"申请号：{digits}.{check_digit(digits)}",
            f"发明名称：一种{seed.subject}",
            "申请人：甲某某有限公司",
            *(["代理机构：乙某专利代理事务所（普通合伙）", "代理师：张某"] if agency else []),
        ]
        self.salutation = ["尊敬的审查员："]
        self.opening = [f"申请人收到国家知识产权局于2026年3月{1 + index}日发出的第{round_}次审查意见通知书，现陈述意见如下："]
        self.change_head = "修改说明"
        self.changes = (
            [
                f"1、将“{seed.feature}”加入权利要求1，修改依据为原权利要求3和说明书第[0012]段。",
                "2、删除原权利要求3，并调整后续权利要求的编号，修改依据为原权利要求书。",
            ]
            if amended
            else ["本次答复未修改申请文件。"]
        )
        self.basis = (
            ["上述修改未超出原说明书和权利要求书记载的范围，符合专利法第33条的规定。"] if amended else []
        )
        self.answers: list[tuple[str, list[str]]] = [
            (
                "权利要求1的新颖性（专利法第22条第2款）",
                [
                    f"D1公开了一种用于{seed.field}的产品，没有公开“{seed.feature}”。",
                    "因此，权利要求1的技术方案与D1不同，具备专利法第22条第2款规定的新颖性。",
                ],
            ),
            (
                "权利要求1的创造性（专利法第22条第3款）",
                [
                    "（一）最接近的现有技术",
                    f"D1与本申请同属{seed.field}领域，可以作为最接近的现有技术。",
                    "（二）区别技术特征及实际解决的技术问题",
                    f"区别技术特征为“{seed.feature}”，由此实际解决的技术问题是{seed.problem}。",
                    "（三）技术启示",
                    "D2中的相应部件用于隔热，所起的作用不同，没有给出将其用于D1的启示。",
                    "（四）有益效果",
                    f"{seed.effect}。",
                    "（五）结论",
                    "因此，权利要求1具备突出的实质性特点和显著的进步，其从属权利要求也具备创造性。",
                ],
            ),
            ("权利要求2的清楚（专利法第26条第4款）", ["权利要求2中的“较大”已经删除，其保护范围清楚。"]),
        ]
        self.closing = ["综上所述，申请人请求在修改文件的基础上继续审查，并授予专利权。"]
        self.enclosures = ["权利要求书替换页", "修改对照页"] if amended else []
        self.signature = (
            ["代理机构（盖章）：乙某专利代理事务所（普通合伙）", "代理师（签字）：张某"]
            if agency
            else ["申请人（签字或盖章）：甲某某有限公司"]
        )
        self.date = [f"2026年5月{1 + index}日"]

    def build(self) -> str:
        lines = ["意见陈述书", *self.head, *self.salutation, *self.opening]
        sections: list[tuple[str, list[str]]] = []
        if self.changes or self.basis:
            sections.append((self.change_head, [*self.changes, *self.basis]))
        sections += [(f"关于{topic}", body) for topic, body in self.answers]
        if self.closing:
            sections.append(("结语", self.closing))
        for numeral, (heading, body) in zip(NUMERALS, sections, strict=False):
            lines += [f"{numeral}、{heading}", *body]
        if self.enclosures:
            lines += ["附件：", *(f"{n}、{name}" for n, name in enumerate(self.enclosures, 1))]
        return "\n".join([*lines, *self.signature, *self.date]) + "\n"

    @property
    def context(self) -> dict[str, Any]:
        return {
            "title": f"一种{self.seed.subject}",
            "application_number": self.head[0].partition("：")[2],
            "documents": [1, 2],
            "objections": [topic.partition("（")[0] for topic, _ in self.answers],
        }


def replies() -> Iterator[Example]:
    for index, seed in enumerate(SEEDS):
        whole = Reply(seed, index)
        yield good(whole.build(), context=whole.context)
        yield good(Reply(seed, index, round_="二").build(), context={"notice": "第二次审查意见通知书"})
        yield good(Reply(seed, index, agency=False).build())
        yield good(Reply(seed, index, amended=False).build())
        novelty = Reply(seed, index)
        novelty.answers = novelty.answers[:1]
        yield good(novelty.build(), context=novelty.context)
        step = Reply(seed, index)
        step.answers = step.answers[1:2]
        yield good(step.build())
        other = Reply(seed, index)
        other.answers = [("权利要求1至3的单一性（专利法第31条第1款）", ["各项权利要求具有相同的特定技术特征。", "一种方案足以说明。"])]
        yield good(other.build(), context=other.context)
        spread = Reply(seed, index)
        spread.answers[0][1].insert(1, "对比文件1的图3也没有示出该特征，D1的说明书第[0021]段仅提到外壳。")
        spread.changes.append("3、将说明书第[0012]段中的“该”改为“所述”，修改依据为原说明书第3页第5行和原说明书附图2。")
        spread.enclosures.insert(1, "说明书替换页（1页）")
        yield good(spread.build())
        plain = Reply(seed, index)
        plain.salutation = []
        plain.enclosures.append("证据1：某技术手册的复印件。")
        yield good(plain.build())


def drop(name: str, at: int) -> Callable[[Reply], Any]:
    return lambda reply: getattr(reply, name).pop(at)


def put(name: str, at: int, value: Any) -> Callable[[Reply], Any]:
    return lambda reply: getattr(reply, name).__setitem__(at, value)


def without_step(at: int) -> Callable[[Reply], Any]:
    return lambda reply: reply.answers[1][1].__delitem__(slice(2 * at, 2 * at + 2))


REPLY_FAULTS: tuple[tuple[str, Callable[[Reply], Any]], ...] = (
    ("no-application", drop("head", 0)),
    ("no-title", drop("head", 1)),
    ("no-applicant", drop("head", 2)),
    ("no-notice", drop("opening", 0)),
    ("no-notice", put("opening", 0, "申请人收到通知书，现陈述意见如下：")),
    ("application-number", lambda r: r.head.__setitem__(0, r.head[0][:-1] + ("0" if r.head[0][-1] != "0" else "1"))),
    ("application-number", put("head", 0, "申请号：2024101234")),
    ("application-number", put("head", 0, "申请号：待查")),
    ("no-amendments", lambda r: (r.changes.clear(), r.basis.clear(), r.enclosures.clear())),
    ("no-basis", put("changes", 0, "1、将检测轮的限定加入权利要求1。")),
    ("basis-abstract", put("changes", 0, "1、将检测轮的限定加入权利要求1，修改依据为说明书摘要。")),
    ("vague-change", put("changes", 0, "1、对权利要求1作了适当修改。")),
    ("no-disclosure", lambda r: r.basis.clear()),
    ("no-answer", lambda r: r.answers.clear()),
    ("no-conclusion", lambda r: r.answers[0][1].pop()),
    ("no-closest", without_step(0)),
    ("no-difference", without_step(1)),
    ("no-teaching", without_step(2)),
    ("no-effect", without_step(3)),
    ("no-conclusion", without_step(4)),
    ("two-documents", lambda r: r.answers[0][1].insert(0, "D1结合D2没有公开该特征。")),
    ("no-closing", lambda r: r.closing.clear()),
    ("no-request", put("closing", 0, "综上所述，申请人感谢审查员的工作。")),
    ("no-sheets", drop("enclosures", 0)),
    ("no-comparison", drop("enclosures", 1)),
    ("no-signature", lambda r: r.signature.clear()),
    ("wrong-signature", lambda r: setattr(r, "signature", ["申请人（盖章）：甲某某有限公司"])),
    ("agency-unnamed", lambda r: r.head.__delitem__(slice(3, 5))),
    ("no-date", lambda r: r.date.clear()),
    ("date-order", put("date", 0, "2026年2月1日")),
    ("date-form", put("date", 0, "2026年13月1日")),
    ("item-order", put("changes", 1, "3、删除原权利要求3，修改依据为原权利要求书。")),
    ("impolite", lambda r: r.answers[2][1].append("这种意见是荒谬的。")),
    ("publicity", lambda r: r.answers[2][1].append("本申请的技术国际领先。")),
    ("residue", lambda r: r.answers[2][1].append("此处待补充。")),
)  # fmt: skip


def bad_replies() -> Iterator[Example]:
    for at, (reason, change) in enumerate(REPLY_FAULTS):
        for index in (at % len(SEEDS), (at + 4) % len(SEEDS), (at + 8) % len(SEEDS)):
            reply = Reply(SEEDS[index], index)
            change(reply)
            yield bad(reason, reply.build())
    for index, seed in enumerate(SEEDS[:4]):
        reply = Reply(seed, index)
        text = reply.build()
        yield bad("section-order", text.replace("三、关于", "四、关于", 1))
        yield bad("step-order", text.replace("（二）区别", "（三）区别", 1))
        yield bad("title-other", text, context={"title": f"{seed.subject}的安装架"})
        yield bad("application-other", text, context={"application_number": "202010000000.0"})
        yield bad("notice-other", text, context={"notice": "第三次审查意见通知书"})
        yield bad("unanswered", text, context={"objections": ["权利要求5的创造性"]})
        yield bad("document-unknown", text, context={"documents": [1]})
        unamended = Reply(seed, index, amended=False)
        unamended.enclosures = ["权利要求书替换页"]
        yield bad("sheets-without-change", unamended.build())
        yield bad("form", text.replace("意见陈述书", "答复意见", 1))


DOCUMENTS: dict[str, tuple[Callable[[], Iterator[Example]], Callable[[], Iterator[Example]]]] = {
    "title_zh": (titles, bad_titles),
    "abstract_zh": (abstracts, bad_abstracts),
    "description_zh": (descriptions, bad_descriptions),
    "drawings_zh": (drawings, bad_drawings),
    "reply_zh": (replies, bad_replies),
}


def lines(examples: Iterator[Example]) -> str:
    """The examples as JSON lines, repeated ones left out."""
    return "".join(dict.fromkeys(json.dumps(example, ensure_ascii=False) + "\n" for example in examples))


def main() -> None:
    for name, (right, wrong) in DOCUMENTS.items():
        folder = ROOT / name
        folder.mkdir(exist_ok=True)
        (folder / "positive.jsonl").write_text(lines(right()), "utf-8")
        (folder / "negative.jsonl").write_text(lines(wrong()), "utf-8")


if __name__ == "__main__":
    main()
