"""A filing as one self-contained HTML page, in Chinese or English: no script, no outside resource.

It shows what was drafted and why it can be trusted: claims, claim tree, findings, invention model, description,
provenance, timings, and the SHIFT / REDUCE trace of every claim, folded. Every value is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from apps.claims.parse import ClaimSet
from apps.claims.tree import Node, claim_tree
from apps.exports.docx import Filing, figure_name

LABELS = {
    "zh": {
        "claims": "权利要求书", "tree": "权利要求关系", "findings": "检查结果", "invention": "发明模型",
        "abstract": "说明书摘要", "description": "说明书", "drawings": "说明书附图", "provenance": "来源",
        "timings": "用时", "trace": "推导记录（SHIFT / REDUCE）", "claim": "权利要求", "severity": "级别",
        "message": "说明", "consequence": "后果", "law": "依据", "rule": "规则", "none": "没有发现问题。",
        "stage": "阶段", "seconds": "秒", "text": "文字", "operation": "操作", "span": "位置",
        "title": "发明名称", "error": "错误", "warning": "警告", "info": "提示",
        "open": "未完成的规则", "mass": "允许概率", "favourite": "模型首选而被拒", "refused": "此处不能写", "end": "结束",
    },
    "en": {
        "claims": "Claims", "tree": "Claim tree", "findings": "Findings", "invention": "Invention model",
        "abstract": "Abstract", "description": "Description", "drawings": "Drawings", "provenance": "Provenance",
        "timings": "Timings", "trace": "Derivation trace (SHIFT / REDUCE)", "claim": "Claim", "severity": "Severity",
        "message": "Message", "consequence": "Consequence", "law": "Source of law", "rule": "Rule",
        "none": "Nothing found.", "stage": "Stage", "seconds": "Seconds", "text": "Text", "operation": "Operation",
        "span": "Span", "title": "Title", "error": "error", "warning": "warning", "info": "info",
        "open": "Open rules", "mass": "Allowed mass", "favourite": "The model's first choice, refused", "refused": "Refused here", "end": "the end",
    },
}  # fmt: skip

CONSEQUENCES = {
    "zh": {"R": "驳回或无效理由", "F": "补正", "E": "电子申请系统拒收", "$": "附加费", "A": "实务惯例"},
    "en": {"R": "ground of rejection", "F": "correction", "E": "refused by e-filing", "$": "extra fee", "A": "practice"},
}

# Keys of provenance and timings, and of the invention model, as the Chinese page names them; the English page shows the keys.
KEYS_ZH = {
    "model": "模型", "seed": "随机种子", "mode": "书写方式", "grammar": "文法", "exact": "精确解码",
    "disclosure_sha256": "交底书 SHA-256", "characters_left_out": "模型未读字数",
    "self_names_changed": "统一的“本发明”“本实用新型”处数",
    "log_mass": "各权利要求的允许概率对数和", "forced_claims": "与模型意愿相差较大的权利要求", "invention": "理解发明", "plan": "规划权利要求",
    "claims": "撰写权利要求", "title": "撰写名称", "abstract": "撰写摘要", "description": "撰写说明书", "check": "形式检查",
}  # fmt: skip
INVENTION_ZH = {
    "subject": "主题", "category": "类型", "field": "技术领域", "problem": "技术问题", "parts": "部件或步骤",
    "features": "技术特征", "options": "可选特征", "effects": "有益效果", "dropped": "交底书中没有、已舍弃",
}  # fmt: skip

CSS = """
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--error:#c62828;--warning:#b26a00;--info:#1565c0}
body{max-width:54rem;margin:2rem auto;padding:0 1rem;font:16px/1.75 "Noto Serif CJK SC","Songti SC",SimSun,serif}
h1,h2,h3,th,summary,nav{font-family:"Noto Sans CJK SC","PingFang SC",SimHei,sans-serif}
h2{margin-top:2.2rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}
dt{color:GrayText}dd{margin:0;overflow-wrap:anywhere}dd ul{margin:0;padding-left:1.2rem}
.claim{margin:.6rem 0;padding-left:2.4rem;text-indent:-2.4rem}.claim b{display:inline-block;width:2.4rem;text-indent:0}
.tree,.tree ul{list-style:none;padding-left:1.4rem;border-left:1px solid var(--line)}.tree{padding-left:.6rem}
.error{color:var(--error)}.warning{color:var(--warning)}.info{color:var(--info)}
details{margin:.5rem 0;background:var(--soft);padding:.4rem .8rem}summary{cursor:pointer}
nav a{margin-right:1rem;white-space:nowrap}small{color:GrayText}@media print{nav{display:none}h2{break-after:avoid}}
"""


def filing_report_html(filing: Filing, lang: str = "zh") -> str:
    """The page as text (encode as UTF-8). `lang` is "zh" or "en"; the drafted text itself is not translated."""
    label = LABELS[lang]
    sections = {
        "claims": _claims(filing["claims"]),
        "tree": _tree(filing["claims"]),
        "findings": _findings(filing.get("findings") or [], label, lang),
        "invention": _value(_invention(filing.get("invention") or {}, lang)),
        "abstract": _paragraphs([filing["abstract"]]),
        "description": "".join(
            f"<h3>{escape(s['heading'])}</h3>{_paragraphs(s['paragraphs'])}" for s in filing["description"]["sections"]
        ),
        "drawings": _value({figure_name(d): d["caption"] for d in filing.get("drawings") or []}),
        "provenance": _value(_named(filing.get("provenance") or {}, lang)),
        "timings": _timings(_named(filing.get("timings") or {}, lang), label),
        "trace": _trace(filing.get("trace") or [], label, lang),
    }
    shown = {key: body for key, body in sections.items() if body}
    links = "".join(f'<a href="#{key}">{escape(label[key])}</a>' for key in shown)
    body = "".join(f'<section id="{key}"><h2>{escape(label[key])}</h2>{html}</section>' for key, html in shown.items())
    title = escape(str(filing["title"]))
    return (
        f'<!doctype html><html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{CSS}</style></head>"
        f"<body><h1>{title}</h1><nav>{links}</nav>{body}</body></html>\n"
    )


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{escape(str(text))}</p>" for text in texts)


def _claims(claims: Iterable[Mapping[str, Any]]) -> str:
    return "".join(
        f'<p class="claim" id="claim-{int(c["number"])}"><b>{int(c["number"])}.</b>{escape(c["text"])}</p>' for c in claims
    )


def _tree(claims: list[Mapping[str, Any]]) -> str:
    return f'<ul class="tree">{"".join(_node(root) for root in claim_tree(ClaimSet.from_list(list(claims))))}</ul>'


def _node(node: Node) -> str:
    number = node.claim.number
    children = "".join(_node(child) for child in node.children)
    name = escape(node.claim.subject or "")
    refs = "、".join(map(str, node.claim.refs)) if len(node.claim.refs) > 1 else ""
    cited = f" <small>({refs})</small>" if refs else ""
    nested = f"<ul>{children}</ul>" if children else ""
    return f'<li><a href="#claim-{number}">{number}</a> {name}{cited}{nested}</li>'


def _invention(invention: Mapping[str, Any], lang: str) -> dict[str, Any]:
    names = INVENTION_ZH if lang == "zh" else {}
    return {names.get(key, key): value for key, value in invention.items() if value}


def _named(values: Mapping[str, Any], lang: str) -> dict[str, Any]:
    names = KEYS_ZH if lang == "zh" else {}
    return {names.get(key, key): value for key, value in values.items()}


def _consequence(key: str, lang: str) -> str:
    """The main one in words, what else the catalogue says behind it: "R (26.4)"."""
    return CONSEQUENCES[lang].get(key[:1], key[:1]) + key[1:]


def _findings(findings: list[Mapping[str, Any]], label: Mapping[str, str], lang: str) -> str:
    if not findings:
        return f"<p>{escape(label['none'])}</p>"
    message = "message_zh" if lang == "zh" else "message"
    rows = [
        (f.get("claim") or "", label.get(f["severity"], f["severity"]), f.get(message) or f.get("message", ""),
         _consequence(f.get("consequence", ""), lang), f.get("law", ""), f["rule"])
        for f in findings
    ]  # fmt: skip
    heads = [label[key] for key in ("claim", "severity", "message", "consequence", "law", "rule")]
    return _table(heads, rows, [str(f["severity"]) for f in findings])


def _timings(timings: Mapping[str, Any], label: Mapping[str, str]) -> str:
    rows = [(stage, f"{value:.2f}" if isinstance(value, int | float) else value) for stage, value in timings.items()]
    return _table([label["stage"], label["seconds"]], rows) if rows else ""


def _trace(events: Iterable[Mapping[str, Any]], label: Mapping[str, str], lang: str) -> str:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for event in events:
        groups.setdefault(_traced(event, label), []).append(event)
    return "".join(
        f"<details><summary>{escape(name)}</summary>{_decoding(group, label, lang)}</details>" for name, group in groups.items()
    )


def _traced(event: Mapping[str, Any], label: Mapping[str, str]) -> str:
    """What an event belongs to: a numbered claim, or the title or the abstract."""
    return f"{label['claim']} {event['claim']}" if "claim" in event else label[event["part"]]


def _decoding(events: list[Mapping[str, Any]], label: Mapping[str, str], lang: str) -> str:
    """Each step with the rules open there, the allowed mass and the model's refused favourite where they were recorded, and what else was
    refused there and why."""
    columns = ["operation", "rule", "text", "span", "open", "mass", "favourite", "refused"]
    rows = [
        {
            "operation": event.get("op", ""),
            "rule": event.get("rule", event.get("slot", event.get("token", ""))),
            "text": event.get("text", ""),
            "span": f"{event['start']}–{event['end']}" if "start" in event and "end" in event else "",
            "open": " › ".join(opened),
            "mass": f"{event['mass']:.1%}" if "mass" in event else "",
            "favourite": _reasons(event.get("favourites") or (), label, lang),
            "refused": _reasons(event.get("refused") or (), label, lang),
        }
        for event, opened in zip(events, _open_rules(events), strict=True)
    ]
    shown = [key for key in columns if key not in ("open", "mass", "favourite", "refused") or any(row[key] for row in rows)]
    return _table([label[key] for key in shown], [[row[key] for key in shown] for row in rows])


def _reasons(refused: Iterable[Mapping[str, Any]], label: Mapping[str, str], lang: str) -> str:
    """What was refused, and why where a reason is known."""
    told = [(reason["token"] or label["end"], reason["text"].get(lang, "")) for reason in refused]
    return "；".join(f"{token}：{why}" if why else token for token, why in told)


def _open_rules(events: list[Mapping[str, Any]]) -> list[list[str]]:
    """The rules that each SHIFT stands in, outermost first: those reduced later that begin no later than it."""
    out: list[list[str]] = []
    opened: list[Mapping[str, Any]] = []
    for event in reversed(events):
        start = event.get("start", 0)
        while opened and opened[-1].get("start", 0) > start:
            opened.pop()
        out.append([str(rule["rule"]) for rule in opened] if event.get("op") == "SHIFT" else [])
        if event.get("op") == "REDUCE":
            opened.append(event)
    return out[::-1]


def _table(heads: Iterable[str], rows: Iterable[Iterable[Any]], classes: list[str] | None = None) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = ""
    for index, row in enumerate(rows):
        css = f' class="{escape(classes[index])}"' if classes else ""
        body += f"<tr{css}>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _value(value: Any) -> str:
    """Any JSON value as a definition list, a list, or escaped text; empty for an empty value.

    A mapping of text, start and end is a span of the disclosure: its text, then where it stands.
    """
    if isinstance(value, Mapping) and value.keys() == {"text", "start", "end"}:
        return f"{escape(str(value['text']))} <small>[{escape(str(value['start']))}–{escape(str(value['end']))}]</small>"
    if isinstance(value, Mapping):
        items = "".join(f"<dt>{escape(str(key))}</dt><dd>{_value(item)}</dd>" for key, item in value.items())
        return f"<dl>{items}</dl>" if items else ""
    if isinstance(value, list | tuple):
        items = "".join(f"<li>{_value(item)}</li>" for item in value)
        return f"<ul>{items}</ul>" if items else ""
    return escape("" if value is None else str(value))
