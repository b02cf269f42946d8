"""The rules this package checks: id, severity, consequence, source of law, message in Chinese and English.

Severity is "error", "warning" or "info". Consequence: R ground of rejection, F formal defect, E refused by
the e-filing gateway, $ fee, A practice only. Sources: 专利法 (2020), 专利法实施细则 (2023),
专利审查指南 2023 with the changes of 局令第84号. Message fields in braces are filled by the rule.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    severity: str
    consequence: str
    source: str
    zh: str
    en: str


RULES: dict[str, Rule] = {
    "CN-CLM-001": Rule(
        "error", "F", "细则22.2; 指南I-1-4.4; I-2-7.4 form item (3); II-2-3.3",
        "权利要求编号应为从1起连续的阿拉伯数字：应为{want}，实为{got}",
        "claims are numbered 1..N without gap or repeat: expected {want}, found {got}",
    ),
    "CN-CLM-002": Rule(
        "error", "F", "指南I-1-4.4",
        "编号前不得有“{word}”",
        "no word such as “{word}” may stand before the claim number",
    ),
    "CN-CLM-003": Rule(
        "warning", "E", "CNIPA editor regex (practice)",
        "编号后的分隔符应为“. ”，实为“{got}”",
        "the separator after the number should be “. ”, found “{got}”",
    ),
    "CN-CLM-004": Rule(
        "error", "F", "细则23.1, 24.3; 指南II-2-3, 3.1.2",
        "权利要求1应为独立权利要求",
        "claim 1 must be an independent claim",
    ),
    "CN-CLM-005": Rule(
        "error", "F", "指南II-2-3.3; I-2-7.4 form item (1)",
        "一项权利要求只在结尾用一个句号：{why}",
        "a claim has one full stop, at its end: {why}",
    ),
    "CN-CLM-006": Rule(
        "warning", "F", "指南I-2-7.4 form item (1); II-2-3.3; model claims in II-9-5.2",
        "分段应以“；”或“，”结尾",
        "a sub-paragraph inside a claim ends in ； or ，",
    ),
    "CN-CLM-007": Rule(
        "error", "F (UM); A (invention)", "指南I-2-7.4 form item (2)",
        "权利要求书中不应有标题或说明：“{text}”",
        "no heading or caption in the claims: “{text}”",
    ),
    "CN-CLM-008": Rule(
        "error", "F", "细则22.3; 指南I-1-4.4; II-2-3.3; I-2-7.4 form item (4)",
        "权利要求中不得有插图",
        "no illustration may stand in a claim",
    ),
    "CN-CLM-011": Rule(
        "error", "F", "细则22.3; 指南II-2-3.3; II-10-9.3.1.1(3), 9.3.1.5(2); II-10-4.2.2(5)",
        "权利要求不得引用说明书或附图：“{text}”",
        "a claim may not refer to the description or the drawings: “{text}”",
    ),
    "CN-CLM-012": Rule(
        "error", "F", "细则22.4; 指南II-2-3.3; I-2-7.4 form item (5); II-8-6.2.2(2)",
        "附图标记应置于括号内：“{text}”",
        "a drawing sign stands in parentheses after its feature: “{text}”",
    ),
    "CN-CLM-013": Rule(
        "error", "F", "细则21.2, 22.4; 指南I-2-7.4 form item (5)",
        "附图标记{sign}不在标记表中或名称不符（“{name}”）",
        "sign {sign} is not in the sign table under this name (“{name}”)",
    ),
    "CN-CLM-014": Rule(
        "error", "F", "细则21.2; 指南II-2-2.3; I-1-4.3; I-2-7.3(6)",
        "附图标记{sign}用于不同部件：{names}",
        "sign {sign} denotes different components: {names}",
    ),
    "CN-CLM-023": Rule(
        "error", "A", "practice",
        "权利要求书中有非权利要求的文字：“{text}”",
        "text that is not claim text: “{text}”",
    ),
    "CN-CLM-024": Rule(
        "error", "F", "细则3.1; 指南V-1-3.1, 3.2",
        "应使用规范的简体用语：“{text}”",
        "use simplified mainland wording: “{text}”",
    ),
    "CN-CLM-025": Rule(
        "error", "E", "CNIPA e-filing format rules",
        "不可用于电子申请的字符：{text}",
        "character not accepted for e-filing: {text}",
    ),
    "CN-CLM-026": Rule(
        "warning", "A", "practice (no such sentence in I-1-4.4, I-2-7.4 or II-2-3)",
        "权利要求中不用“{text}”",
        "“{text}” does not belong in a claim",
    ),
    "CN-IND-001": Rule(
        "warning", "A", "细则24.1(一); 指南II-2-3.3.1; practice",
        "独立权利要求宜以“一种”加主题名称开头",
        "an independent claim opens with 一种 and a subject name",
    ),
    "CN-IND-002": Rule(
        "error", "R", "指南II-2-3.2.2; 专利法2.2",
        "主题名称“{text}”未表明类型（产品或方法）",
        "the subject name “{text}” does not show a category (product or method)",
    ),
    "CN-IND-003": Rule(
        "error", "R", "指南II-2-3.2.2",
        "一项权利要求只能有一个类型：“{text}”",
        "one claim has one category: “{text}”",
    ),
    "CN-IND-005": Rule(
        "warning", "F", "细则24.1; 指南II-2-3.3.1; I-2-7.4(3)",
        "独立权利要求缺少“其特征在于”",
        "the independent claim has no characterising phrase 其特征在于",
    ),
    "CN-IND-006": Rule(
        "error", "F", "细则24.1(二); 指南II-2-3.3.1",
        "“其特征在于”应只出现一次",
        "the characterising phrase stands only once",
    ),
    "CN-IND-008": Rule(
        "warning", "R", "指南II-2-3.3",
        "开放式与封闭式表述混用：“{text}”",
        "open and closed transition are mixed: “{text}”",
    ),
    "CN-DEP-001": Rule(
        "error", "F", "细则25.1(一); 指南II-2-3.3.2",
        "引用部分应写明编号和主题名称",
        "the reference part gives the number and the subject name at the beginning",
    ),
    "CN-DEP-002": Rule(
        "error", "F", "细则25.2; 指南II-2-3.3.2",
        "引用的权利要求{n}{why}",
        "the referenced claim {n} {why_en}",
    ),
    "CN-DEP-003": Rule(
        "error", "F", "细则25.2",
        "引用自身或重复引用权利要求{n}",
        "claim {n} is a self reference or a duplicate",
    ),
    "CN-DEP-004": Rule(
        "error", "F", "细则25.1(一); 指南II-2-3.3.2; I-2-7.4(4)",
        "主题名称“{got}”与所引用权利要求的“{want}”不一致",
        "the subject “{got}” differs from the cited claim's “{want}”",
    ),
    "CN-DEP-005": Rule(
        "error", "F", "细则25.2; 指南II-2-3.3.2",
        "引用多项权利要求只能用择一方式",
        "several claims may be cited only in the alternative",
    ),
    "CN-DEP-006": Rule(
        "error", "F (invention: raised in substantive examination, not a 细则59 ground; UM: 细则50.1(二), refusable under 50.2)", "细则25.2; 指南II-2-3.3.2; II-8-4.7.1(4)",
        "多项从属权利要求不得引用多项从属权利要求{n}",
        "a multiple dependent claim may not refer to the multiple dependent claim {n}",
    ),
    "CN-DEP-007": Rule(
        "warning", "F", "细则25.2; 指南II-2-3.3.2",
        "引用范围“{text}”应为由小到大的“N至M中任一项”",
        "write the range “{text}” in ascending order, as N至M中任一项",
    ),
    "CN-DEP-008": Rule(
        "error", "F", "细则25.1(一)",
        "引用未写明权利要求编号",
        "the reference gives no claim number",
    ),
    "CN-DEP-009": Rule(
        "error", "R (26.4)", "指南II-2-3.1.2, 3.2.2, 3.3.2",
        "所引用的各权利要求主题不同",
        "the members of the multiple reference have different subjects",
    ),
    "CN-DEP-010": Rule(
        "info", "-", "指南II-2-3.1.2; II-6-2.2.1, 2.2.2.2 例9–13; II-9-5.2 例4; II-9-7.2.2 例1",
        "{why}",
        "{why_en}",
    ),
    "CN-DEP-011": Rule(
        "error", "F", "细则23.3, 25.1(二); 指南II-2-3.1.2",
        "从属权利要求没有附加技术特征",
        "the dependent claim adds no feature",
    ),
    "CN-DEP-012": Rule(
        "warning", "F; R (31.1) if unity is lost", "指南II-2-3.1.2; II-6-2.2.2.3",
        "从属权利要求去除或替换了被引用的特征：“{text}”",
        "the dependent claim removes or replaces a feature of its parent: “{text}”",
    ),
    "CN-DEP-013": Rule(
        "warning", "R (26.4)", "指南II-2-3.1.2; 26.4",
        "数值范围{got}超出所引用权利要求的{want}",
        "the range {got} lies outside the range {want} of the cited claim",
    ),
    "CN-DEP-014": Rule(
        "error", "F", "细则25",
        "引用关系循环或不能到达独立权利要求",
        "the references form a cycle or reach no independent claim",
    ),
    "CN-DEP-015": Rule(
        "warning", "A", "细则25.1; 指南II-2-3.3.2; practice",
        "引用部分与限定部分之间宜有一次“其特征在于”",
        "其特征在于 (or 其中) separates the reference part and the limiting part, once",
    ),
    "CN-DEP-016": Rule(
        "error", "R (26.4)", "指南II-10-4.2.1",
        "被引用的权利要求为封闭式，不得再增加组分",
        "the cited claim is closed: a further component makes this claim independent",
    ),
    "CN-TRM-001": Rule(
        "error", "R", "专利法26.4 in practice (指南II-2-3.2.2 asks for a clear scope but has no sentence on antecedents)",
        "“{text}”缺乏引用基础",
        "“{text}” has no antecedent",
    ),
    "CN-TRM-002": Rule(
        "error", "R", "26.4",
        "“{text}”并非在每个被引用的权利要求中都有引用基础",
        "“{text}” has no antecedent on every alternative path",
    ),
    "CN-TRM-003": Rule(
        "warning", "R", "26.4",
        "“{text}”不明确：前文有第一和第二",
        "“{text}” is ambiguous: a first and a second were introduced",
    ),
    "CN-TRM-004": Rule(
        "warning", "R", "practice",
        "序数词不完整或写法不一：“{text}”",
        "ordinals are incomplete or written in two styles: “{text}”",
    ),
    "CN-TRM-005": Rule(
        "warning", "R", "26.4",
        "“{text}”已经引入，应写作“所述”",
        "“{text}” was introduced before: refer to it with 所述",
    ),
    "CN-TRM-006": Rule(
        "warning", "R", "practice",
        "“{text}”前文为多个，应写明各、每个或至少一个",
        "“{text}” is plural: say which (各, 每个, 至少一个)",
    ),
    "CN-TRM-007": Rule(
        "warning", "F", "细则3.1; 指南II-2-2.2.7",
        "缩写“{text}”首次出现时应写明中文全称",
        "give the Chinese full name of “{text}” at first use",
    ),
    "CN-TRM-008": Rule(
        "warning", "F", "细则22.3; 指南II-2-2.2.7, 3.3",
        "同一概念应用同一术语：{text}",
        "one concept, one term: {text}",
    ),
    "CN-TRM-009": Rule(
        "warning", "F", "指南II-2-2.2.7; V-1-3.3",
        "应使用法定计量单位：“{text}”",
        "use legal units of measurement: “{text}”",
    ),
    "CN-TRM-010": Rule(
        "warning", "F", "细则3.1; 指南V-1-3.3; II-8-4.7.2",
        "外文名称首次出现时应写明中文并在括号内注明原文：“{text}”",
        "a foreign name stands in parentheses after its Chinese form at first use: “{text}”",
    ),
    "CN-TRM-011": Rule(
        "warning", "R (26.4)", "指南II-2-2.2.7, 3.2.2",
        "“{text}”似为自造词，说明书中没有定义",
        "“{text}” looks self-made and the description does not say what it is",
    ),
    "CN-VAG-001": Rule(
        "error", "R (26.4)", "指南II-2-3.2.2 (these four are named)",
        "权利要求中不得使用“{text}”",
        "“{text}” may not be used in a claim",
    ),
    "CN-VAG-002": Rule(
        "error", "R", "指南II-2-3.2.2 “等类似用语” (the members here are house)",
        "权利要求中不宜使用“{text}”",
        "“{text}” should not be used in a claim",
    ),
    "CN-VAG-003": Rule(
        "warning", "R", "指南II-2-3.2.2 “一般情况下”; II-10-4.2.2(3)",
        "近似用语导致范围不清：“{text}”",
        "an approximate value makes the scope unclear: “{text}”",
    ),
    "CN-VAG-004": Rule(
        "warning", "R", "指南II-2-3.2.2 (等, 或类似物 named; case by case)",
        "开放列举导致范围不清：“{text}”",
        "an open list makes the scope unclear: “{text}”",
    ),
    "CN-TTL-001": Rule(
        "warning", "F", "指南I-1-4.1.1; II-2-2.2.1(1)",
        "发明名称一般不超过25个字，现为{n}个字",
        "a title normally has at most 25 characters, this one has {n}",
    ),
    "CN-TTL-002": Rule(
        "error", "F", "指南I-1-4.1.1; II-2-2.2.1(1); I-2-15.2.1(1)",
        "发明名称不得超过60个字，现为{n}个字",
        "a title has at most 60 characters, this one has {n}",
    ),
    "CN-TTL-003": Rule(
        "error", "F", "指南I-1-4.1.1 (person, organisation, trademark, code, model); II-2-2.2.1(4) (adds place, commodity name)",
        "发明名称中不得有型号、商标、人名、地名：“{text}”",
        "no model, trade mark, person or place in the title: “{text}”",
    ),
    "CN-TTL-004": Rule(
        "error", "F", "指南I-1-4.1.1 (及其他, 及其类似物); II-2-2.2.1(4) (commercial wording)",
        "发明名称中不得有宣传用语或含糊词：“{text}”",
        "no commercial or vague wording in the title: “{text}”",
    ),
    "CN-TTL-005": Rule(
        "error", "F", "指南I-1-4.1.1",
        "发明名称过于笼统：“{text}”",
        "the title is only a generic word: “{text}”",
    ),
    "CN-TTL-006": Rule(
        "warning", "F", "指南II-2-2.2.1(3); II-8-5.2.2.2(1)",
        "发明名称未反映要求保护的类型：{text}",
        "the title does not show a claimed category: {text}",
    ),
    "CN-TTL-007": Rule(
        "error", "F", "细则20.1, 26.1; 指南I-1-4.1.1, 4.2, 4.5.1",
        "各文件的发明名称不一致：“{a}”与“{b}”",
        "the title differs between the papers: “{a}” and “{b}”",
    ),
    "CN-TTL-008": Rule(
        "error", "F", "指南I-1-4.2",
        "发明名称前不应有“发明名称：”，末尾不应有句号",
        "no prefix 发明名称： and no full stop in the title line",
    ),
    "CN-ABS-001": Rule(
        "error", "F (correction or cut ex officio; not a ground of rejection)", "指南I-1-4.5.1; II-2-2.4(4) and last paragraph; I-2-7.5(4)",
        "摘要不得超过300个字，现为{n}个字",
        "the abstract has at most 300 characters, this one has {n}",
    ),
    "CN-ABS-002": Rule(
        "error", "F", "细则26.1; 指南I-1-4.5.1",
        "摘要应写明发明名称",
        "the abstract states the title of the invention",
    ),
    "CN-ABS-003": Rule(
        "error", "F", "指南I-1-4.5.1; I-2-7.5(2)",
        "摘要不加标题：“{text}”",
        "no heading in the abstract: “{text}”",
    ),
    "CN-ABS-004": Rule(
        "error", "F (examiner may delete it)", "细则26.2; 指南I-1-4.5.1",
        "摘要中不得有商业性宣传用语：“{text}”",
        "no commercial wording in the abstract: “{text}”",
    ),
    "CN-ABS-005": Rule(
        "warning", "F", "指南II-2-2.4",
        "摘要中的附图标记应加括号：“{text}”",
        "drawing signs in the abstract stand in parentheses: “{text}”",
    ),
    "CN-ABS-007": Rule(
        "info", "F", "细则26.1; 指南II-2-2.4(1)",
        "摘要不应只是照抄权利要求1",
        "the abstract is not a copy of claim 1",
    ),
    "CN-DSC-001": Rule(
        "error", "F", "细则20.1, 20.2; 指南I-1-4.2; I-2-7.2(2); II-8-6.2.2(1)",
        "说明书缺少“{text}”部分",
        "the description lacks the section {text}",
    ),
    "CN-DSC-002": Rule(
        "error", "F", "细则20.2; 指南II-2-2.2",
        "说明书各部分顺序不对：“{text}”",
        "the sections of the description are out of order: {text}",
    ),
    "CN-DSC-003": Rule(
        "error", "F", "细则20.1(四), 46; 指南I-1-4.2; I-2-7.2(9)",
        "附图与“附图说明”应同有同无",
        "drawings and the section 附图说明 go together",
    ),
    "CN-DSC-004": Rule(
        "error", "F", "细则20.3; 指南II-2-2.2; I-2-7.2(7)",
        "说明书不得引用权利要求：“{text}”",
        "the description may not refer to the claims: “{text}”",
    ),
    "CN-DSC-005": Rule(
        "error", "F (refusable in preliminary examination, 细则50.2)", "细则20.3; 指南I-1-7.7; I-2-7.2(7)",
        "说明书中不得有商业性宣传用语：“{text}”",
        "no commercial wording in the description: “{text}”",
    ),
    "CN-DSC-006": Rule(
        "error", "F", "指南I-1-4.2; I-2-7.2(8)",
        "说明书文字部分不得有插图",
        "no illustration in the text of the description",
    ),
    "CN-DSC-007": Rule(
        "warning", "E", "CNIPA template / XML DTD (the Guidelines only ask for page numbers: I-1-4.2, V-1-5.6)",
        "段落编号不连续：应为[{want}]，实为[{got}]",
        "paragraph numbers are not consecutive: expected [{want}], found [{got}]",
    ),
    "CN-DSC-015": Rule(
        "error", "F", "细则20.1(四); 指南II-2-2.2.5; I-2-7.2(5)",
        "附图说明中缺少或重复图{n}",
        "figure {n} is missing or repeated in 附图说明",
    ),
    "CN-DSC-018": Rule(
        "warning", "F", "指南II-2-2.2.6",
        "具体实施方式中附图标记不加括号：“{text}”",
        "in the embodiments a drawing sign stands without parentheses: “{text}”",
    ),
    "CN-DSC-021": Rule(
        "error", "F", "practice; 指南I-2",
        "专利类型用语不一致：“{text}”",
        "the patent-type word is inconsistent: “{text}”",
    ),
    "CN-DSC-023": Rule(
        "warning", "F", "细则20.3; 指南II-2-2.2.7 (residue and first person are house)",
        "说明书中有草稿残留或第一人称：“{text}”",
        "drafting residue or first person in the description: “{text}”",
    ),
}
