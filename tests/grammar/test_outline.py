"""Documents decoded part by part under their profile by a model of random weights: whatever it prefers, they are legal."""

import random

import pytest

from engine.grammar import GrammarError, Vocabulary
from engine.grammar.language import Profile, read
from engine.grammar.outline import Outline, Part, strings_of

WORDS = "本申请公开的装置与相比，；：。、区别在于所述密封圈使得因此具备新颖性创造性综上请求授予专利权公知荒谬国际领先权利要求1D2D3图349对比文件（一）“”\n"
VOCABULARY = Vocabulary([*(bytes([byte]) for byte in range(256)), *sorted({char.encode() for char in WORDS}), "权利要求".encode(), "荒谬".encode(), "图4".encode(), None], [256 + len(set(WORDS)) + 3])  # fmt: skip


def written(state, seed, tokens=4000):
    """Every legal token is equally probable; the text ends when it may no longer go on."""
    draw, left = random.Random(seed), tokens
    while not state.done:
        row = state.row(left)
        legal = row.allowed.nonzero()[0].tolist()
        token = draw.choice(legal)
        if token in state.vocabulary.eos_ids:
            break
        state, left = state.advance(token), left - 1
    assert state.accepting
    return state.text


def reply(seed):
    """(text, context) of a reply to three objections; the host plans and numbers, the model writes what stands between."""
    profile = Profile.load("reply_zh")
    steps = {f"step_{name}.step_number": [f"（{number}）"] for name, number in zip(
        ("closest", "difference", "teaching", "effect", "conclusion"), "一二三四五", strict=True
    )}  # fmt: skip
    number, title = "202410100000.1", "一种阀门密封装置"
    digits = number.partition(".")[0]
    check = sum(int(digit) * weight for digit, weight in zip(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5), strict=True)) % 11
    number = f"{digits}.{'X' if check == 10 else check}"
    notice = {"notice": ["第一次审查意见通知书"], "notice_date": ["2026年3月1日"]}
    parts = [
        (["意见陈述书\n申请号：", number, f"\n发明名称：{title}\n申请人：甲某某有限公司\n", Part("opening", notice)], 120),
        (["一、修改说明\n1、", Part("change"), "，修改依据为原权利要求3和说明书第[0012]段。\n", Part("within_disclosure")], 100),
        ([Part("novelty", {"section_number": ["二"], "topic_novelty": ["权利要求1的新颖性"], "document": ["D1"]})], 160),
        ([Part("inventive", {"section_number": ["三"], "topic_inventive": ["权利要求1的创造性"], "document": ["D1", "D2"], **steps})], 400),
        ([Part("other", {"section_number": ["四"], "topic_other": ["权利要求2的清楚"], "document": ["D1", "D2"]})], 80),
        ([Part("closing_section", {"section_number": ["五"], "document": ["D1", "D2"]})], 140),
        (["附件：\n1、权利要求书替换页\n2、修改对照页\n申请人（签字或盖章）：甲某某有限公司\n2026年5月1日\n"], 80),
    ]
    text = "".join(
        written(Outline(profile, pieces).start(VOCABULARY, room), f"{seed} {at}") for at, (pieces, room) in enumerate(parts)
    )
    objections = ["权利要求1的新颖性", "权利要求1的创造性", "权利要求2的清楚"]
    return text, {"title": title, "application_number": number, "notice": notice["notice"][0], "documents": [1, 2], "objections": objections}


@pytest.mark.parametrize("seed", range(12))
def test_a_reply_of_random_parts_is_a_reply(seed):
    text, context = reply(seed)
    read_as = read([text], "reply_zh", context=context)[0]
    assert read_as.accepted, (text, read_as.reasons)


@pytest.mark.parametrize("seed", range(12))
def test_a_description_of_random_parts_is_a_description(seed):
    profile, at = Profile.load("description_zh"), iter(range(1, 99))

    def paragraph(room, figures=("图1", "图2")):
        pieces = [Part("numbered", {"paragraph_number": [f"[{next(at):04d}]"], "figure_ref": figures}), "\n"]
        return written(Outline(profile, pieces, forbid=["本实用新型"]).start(VOCABULARY, room, 12), f"{seed} {room}")

    text = f"一种阀门密封装置\n技术领域\n{paragraph(40)}背景技术\n{paragraph(60)}{paragraph(50)}"
    text += "发明内容\n" + f"[{next(at):04d}] 本发明要解决的技术问题是密封差，采用以下技术方案，有益效果是密封好。\n" + paragraph(70)
    text += f"附图说明\n[{next(at):04d}] 图1是阀门的示意图；图2是密封圈的剖视图。\n具体实施方式\n{paragraph(80)}{paragraph(45)}"
    read_as = read([text], "description_zh", context={"title": "阀门密封装置"})[0]
    assert read_as.accepted, (text, read_as.reasons)


@pytest.mark.parametrize("seed", range(12))
def test_figure_notes_of_random_captions_are_figure_notes(seed):
    profile = Profile.load("drawings_zh")
    pieces: list[str | Part] = ["附图说明\n"]
    for number in "123":
        pieces += [Part("entry", {"figure": [number], "listed": [number]}), "；\n" if number != "3" else "。\n"]
    pieces += ["附图标记：", Part("sign_entry", {"sign": ["10"]}), "；", Part("sign_entry", {"sign": ["20"]}), "。\n"]
    text = written(Outline(profile, pieces, forbid=["本实用新型"]).start(VOCABULARY, 160), seed)
    read_as = read([text], "drawings_zh")[0]
    assert read_as.accepted, (text, read_as.reasons)


def test_what_the_host_binds_is_written_and_nothing_else():
    outline = Outline(Profile.load("reply_zh"), [Part("other", {"section_number": ["四"], "topic_other": ["权利要求2的清楚"]})])
    state = outline.start(VOCABULARY, 60)
    assert state.forced_text().startswith("四、关于权利要求2的清楚")
    events = outline.grammar.trace("outline", f"四、关于权利要求2的清楚\n{'已经改正。'}\n", outline.frame)
    assert [event["text"] for event in events if event["op"] == "SHIFT"][0] == "四"


def test_one_rule_is_bound_differently_in_different_rules():
    steps = {"step_closest.step_number": ["（一）"], "step_difference.step_number": ["（二）"], "step_teaching.step_number": ["（三）"]}
    pieces = [Part("inventive", {"section_number": ["二"], "topic_inventive": ["权利要求1的创造性"], **steps})]
    state = Outline(Profile.load("reply_zh"), pieces).start(VOCABULARY, 400)
    opened = "二、关于权利要求1的创造性\n（一）最接近的现有技术\nD1公开了阀门。\n（"
    assert state.rewritten(opened + "二") is not None
    assert state.rewritten(opened + "一") is None


def test_documents_that_the_notice_does_not_cite_are_not_named():
    known = {"section_number": ["四"], "topic_other": ["权利要求2的清楚"], "document": ["D1"]}
    state = Outline(Profile.load("reply_zh"), [Part("other", known)]).start(VOCABULARY, 80)
    opened = "四、关于权利要求2的清楚\n由于"
    assert state.rewritten(opened + "D1") is not None
    assert state.rewritten(opened + "D2") is None and state.rewritten(opened + "D12") is None


def test_a_binding_that_cannot_hold_is_refused():
    profile = Profile.load("reply_zh")
    with pytest.raises(GrammarError, match="no rule magic"):
        Outline(profile, [Part("other", {"magic": ["x"]})])
    with pytest.raises(GrammarError, match="is no section_number"):
        Outline(profile, [Part("other", {"section_number": ["4"]})])
    with pytest.raises(GrammarError, match="no rule magic"):
        Outline(profile, [Part("magic")])


def test_strings_of_a_rule_without_bound_end_behind_the_first_round():
    rules = Profile.load("description_zh").rules
    found = strings_of(rules, "figure_ref")
    assert "图7" in found and "图12" in found and "图 " in found
    assert not any(string.startswith("图 ") and len(string) > 2 for string in found)
