"""The words of every finding: severity, English and Chinese text, and the suggested fix in both.

Names in braces are filled from the finding. The engine knows no gettext: a finding is shown in two languages at once
by the command line and the API.
"""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    severity: str
    en: str
    zh: str
    fix_en: str
    fix_zh: str


def _error(en: str, zh: str, fix_en: str, fix_zh: str) -> Wording:
    return Wording("error", en, zh, fix_en, fix_zh)


def _warning(en: str, zh: str, fix_en: str, fix_zh: str) -> Wording:
    return Wording("warning", en, zh, fix_en, fix_zh)


WORDING: dict[str, Wording] = {
    # Reading
    "syntax": _error(
        "unexpected {found}",
        "语法错误：此处不应出现{found_zh}",
        "Expected here: {expected}.",
        "此处应为：{expected_zh}。",
    ),
    "no-rules": _error(
        "the grammar has no parser rule",
        "文法没有语法规则",
        "Write at least one rule with a lower-case name, such as claim : '一种' SUBJECT '。'",
        "至少写一条小写名称的规则，例如 claim : '一种' SUBJECT '。'",
    ),
    "action": _error(
        "{what} {text} is code, and rule text never runs",
        "{what_zh} {text} 是程序代码，规则文本不得含可执行内容",
        "Delete it; what a grammar cannot say is declared in the rule's semantics.",
        "删除该内容；文法表达不了的约束写入规则的语义声明。",
    ),
    "import": _error(
        "imports are not allowed: {text}",
        "不允许导入：{text}",
        "Copy the rules that you need into this file.",
        "将所需规则直接写入本文件。",
    ),
    "command": _error(
        "lexer command {text} is not allowed: there is no lexer, every character counts",
        "不允许词法命令 {text}：本语言没有词法器，每个字符都计入文本",
        "Delete it and write blanks into the rules where the text has them.",
        "删除该命令，文本中的空白直接写进规则。",
    ),
    "label": _error(
        "label {text} names a part for a program, and there is none",
        "标签 {text} 供程序引用，规则文本不含程序",
        "Delete it; a part that matters gets a rule of its own.",
        "删除该标签；需要命名的部分单独写成规则。",
    ),
    "option": _error(
        "option {text} is not allowed",
        "不允许选项 {text}",
        "The one option is max_depth of a rule: rule options {{ max_depth = 2; }} : ... ;",
        "唯一可用的选项是规则的 max_depth：rule options {{ max_depth = 2; }} : ... ;",
    ),
    "unsupported": _error(
        "{what} is not part of the rule language",
        "规则语言不支持{what_zh}",
        "{instead}",
        "{instead_zh}",
    ),
    "parser-set": _error(
        "{text} stands in parser rule {rule}; characters and sets belong to lexer rules",
        "{text} 出现在语法规则 {rule} 中；字符集只能写在词法规则里",
        "Give it a lexer rule with an upper-case name and refer to that: DIGIT : [0-9] ;",
        "为它写一条大写名称的词法规则并引用该规则：DIGIT : [0-9] ;",
    ),
    "lexer-uses-parser": _error(
        "lexer rule {rule} uses parser rule {used}",
        "词法规则 {rule} 引用了语法规则 {used}",
        "Write {used} as a fragment with an upper-case name, or {rule} with a lower-case one.",
        "将 {used} 改为大写名称的 fragment，或将 {rule} 改为小写名称。",
    ),
    "slot-in-lexer": _error(
        "lexer rule {rule} uses {used}, which is not defined",
        "词法规则 {rule} 引用了未定义的 {used}",
        "Define {used}{guess}; host slots stand in parser rules.",
        "定义 {used}{guess_zh}；宿主插槽只能出现在语法规则中。",
    ),
    "fragment-parser": _error(
        "fragment {rule} is a parser rule; only lexer rules can be fragments",
        "{rule} 是语法规则，fragment 只能修饰词法规则",
        "Delete the word fragment, or give the rule an upper-case name.",
        "删除 fragment，或改用大写名称。",
    ),
    "reserved-name": _error(
        "{text} cannot be the name of {what}",
        "{text} 不能用作{what_zh}的名称",
        "Choose another name{hint}.",
        "换一个名称{hint_zh}。",
    ),
    "empty-literal": _error(
        "{text} matches nothing",
        "{text} 为空",
        "Write the characters it stands for; an empty alternative needs no quotes.",
        "写出所代表的字符；空的备选项不需要引号。",
    ),
    "bad-escape": _error(
        "escape {text} is not known",
        "未知的转义 {text}",
        "Known are \\n \\r \\t \\b \\f \\\\ \\uXXXX and \\u{{XXXXX}}, in quotes also \\', in sets also \\] \\- \\p{{...}} and \\P{{...}}; "
        "no surrogates.",
        "可用的转义有 \\n \\r \\t \\b \\f \\\\ \\uXXXX 和 \\u{{XXXXX}}，引号内还有 \\'，集合中还有 \\] \\- \\p{{...}} 和 \\P{{...}}；不允许代理码位。",
    ),
    "bad-range": _error(
        "range {text} is empty or has more than one character at an end",
        "范围 {text} 为空，或端点不是单个字符",
        "Put one character at each end, the lower one first.",
        "两端各写一个字符，小的在前。",
    ),
    "bad-bounds": _error(
        "repetition {text} admits nothing",
        "重复次数 {text} 不成立",
        "Write {{m,n}} with m not above n, and n at least 1.",
        "写作 {{m,n}}，m 不大于 n，n 至少为 1。",
    ),
    "end-of-file": _error(
        "EOF stands where a text may go on",
        "EOF 之后还可能有文本",
        "Delete it: a text always ends where its start rule ends. EOF may only close an alternative of a rule that no rule uses.",
        "删除它：文本总在起始规则结束处结束。EOF 只能写在未被引用的规则的备选项末尾。",
    ),
    "encoding": _error(
        "the file is not UTF-8: {why}",
        "文件不是 UTF-8 编码：{why}",
        "Save it as UTF-8.",
        "另存为 UTF-8 编码。",
    ),
    "file-size": _error(
        "the file has {size} bytes, the limit is {limit}",
        "文件有 {size} 字节，上限为 {limit}",
        "Split it into several rules; word lists belong into lexicons.",
        "拆分为多个规则；词表应放入词库。",
    ),
    "nesting": _error(
        "brackets are nested deeper than {limit}",
        "括号嵌套超过 {limit} 层",
        "Give the inner groups rules of their own.",
        "将内层分组改写为独立规则。",
    ),
    "duplicate-rule": _error(
        "rule {rule} is defined a second time; the first is on line {first}",
        "规则 {rule} 重复定义，第一次定义在第 {first} 行",
        "Delete one of them, or join them with |.",
        "删除其中一个，或用 | 合并。",
    ),
    "undefined-rule": _error(
        "rule {rule} uses {used}, which is not defined",
        "规则 {rule} 引用了未定义的 {used}",
        "Define {used}{guess}.",
        "定义 {used}{guess_zh}。",
    ),
    "suffix": _error(
        "files ending in {suffix} are not rule text",
        "不支持扩展名为 {suffix} 的规则文件",
        "Use one of {known}.",
        "请使用以下扩展名之一：{known}。",
    ),
    "regex": _error(
        "this regular expression is outside the regular subset: {why}",
        "正则表达式超出可用子集：{why_zh}",
        "Use characters, sets, groups (?:...), |, ? * + and {{m,n}} only.",
        "只使用字符、字符集、分组 (?:...)、|、? * + 和 {{m,n}}。",
    ),
    # JSON Schema
    "duplicate-member": _error(
        "member {name} appears twice",
        "成员 {name} 重复出现",
        "Delete one of them.",
        "删除其中一个。",
    ),
    "schema-value": _error(
        "{what} must be {wanted} (at {pointer})",
        "{what} 应为{wanted_zh}（位于 {pointer}）",
        "Write {wanted}.",
        "改为{wanted_zh}。",
    ),
    "keyword": _error(
        "keyword {name} at {pointer} is not supported here (beside: {beside})",
        "{pointer} 处不支持关键字 {name}（同级：{beside}）",
        "Delete it, or say the same with the keywords listed in engine/grammar/sources/json_schema.py.",
        "删除它，或改用 engine/grammar/sources/json_schema.py 所列的关键字表达。",
    ),
    "any-value": _error(
        "the schema at {pointer} admits any value",
        "{pointer} 处的模式允许任意取值",
        'Add "type" and what belongs to it ("items" for an array).',
        '补充 "type" 及其所需的关键字（数组需要 "items"）。',
    ),
    "remote-ref": _error(
        "reference {text} at {pointer} does not name a definition of this document",
        "{pointer} 处的引用 {text} 未指向本文档的定义",
        'Copy the definition into "$defs" and refer to "#/$defs/NAME".',
        '将该定义复制到 "$defs" 并引用 "#/$defs/名称"。',
    ),
    "undefined-member": _error(
        "{name} is required at {pointer}, but not among the properties",
        "{pointer} 处的必需成员 {name} 不在 properties 中",
        "Declare it in properties, or take it out of required.",
        "在 properties 中声明它，或从 required 中删除。",
    ),
    "optional-members": _error(
        "more than {limit} optional members may come first at {pointer}",
        "{pointer} 处可位于首位的可选成员超过 {limit} 个",
        "Make an early member required, or group members into objects.",
        "将靠前的成员设为必需，或将成员归入子对象。",
    ),
    "one-of": _error(
        "branches {first} and {second} of oneOf cannot be told apart (at {pointer})",
        "oneOf 的第 {first} 与第 {second} 个分支无法区分（位于 {pointer}）",
        'Use anyOf, or give both a required member with different "const".',
        '改用 anyOf，或为两者各加一个取值不同的必需 "const" 成员。',
    ),
    "pattern-length": _error(
        "pattern with {name}: the pattern alone does not keep to {name}, and the two together are not one automaton",
        "pattern 与 {name} 并用：仅凭 pattern 不能保证 {name}，两者不能合成一个自动机",
        "Put the bound into the pattern, as in ^[A-Z]{{2,8}}$, and delete {name}.",
        "将长度写进 pattern，例如 ^[A-Z]{{2,8}}$，并删除 {name}。",
    ),
    # Checking
    "no-start": _error(
        "there is no rule {rule} to start from",
        "不存在起始规则 {rule}",
        "Define it{guess}.",
        "定义该规则{guess_zh}。",
    ),
    "unused-rule": _warning(
        "rule {rule} is never used",
        "规则 {rule} 从未被引用",
        "Delete it, or name it as a start rule.",
        "删除它，或将其指定为起始规则。",
    ),
    "unreachable-rule": _warning(
        "no start rule leads to rule {rule}",
        "任何起始规则都到达不了规则 {rule}",
        "Use it in a rule that is reached from {starts}, or delete it.",
        "在 {starts} 可达的规则中引用它，或删除它。",
    ),
    "left-recursion": _error(
        "rule {rule} begins with itself: {loop}",
        "规则 {rule} 以自身开头（左递归）：{loop}",
        "Write the repetition as one: {rule} : first ( separator next )* ;",
        "改写为重复：{rule} : 首项 ( 分隔 后项 )* ;",
    ),
    "mutual-left-recursion": _error(
        "rules begin with each other: {loop}",
        "规则互为开头（间接左递归）：{loop}",
        "Put a character before the reference that closes the loop, or write it as a repetition.",
        "在形成循环的引用之前加入字符，或改写为重复。",
    ),
    "recursion": _error(
        "rule {rule} can stand inside itself without bound: {loop}",
        "规则 {rule} 可无限嵌套自身：{loop}",
        "Say how deep: {rule} options {{ max_depth = 2; }} in .g4, //! max_depth {rule} = 2 in Lark, "
        '"maxDepth": 2 in JSON Schema.',
        "写明嵌套深度：.g4 中写 {rule} options {{ max_depth = 2; }}，Lark 中写 //! max_depth {rule} = 2，"
        'JSON Schema 中写 "maxDepth": 2。',
    ),
    "unproductive": _error(
        "no text fits rule {rule}",
        "没有任何文本符合规则 {rule}",
        "Give it an alternative that does not lead to {because}.",
        "为它增加一个不依赖 {because} 的备选项。",
    ),
    "epsilon-loop": _error(
        "a repetition without bound in rule {rule} repeats the empty text",
        "规则 {rule} 中的无限重复可以重复空文本",
        "Make what is repeated at least one character long.",
        "使被重复的部分至少包含一个字符。",
    ),
    "free-text": _warning(
        "free text without bound in rule {rule} stands before {literal}, which may never come{also}",
        "规则 {rule} 中 {literal} 之前的自由文本没有长度上限，该文字可能永远不出现{also_zh}",
        "Bound the text, as in {{1,80}}{fix}.",
        "限定文本长度，例如 {{1,80}}{fix_zh}。",
    ),
    "unbounded-run": _warning(
        "rule {rule} admits blanks or punctuation without end",
        "规则 {rule} 允许无限长的空白或标点",
        "Bound the repetition, as in {{0,80}}, or require another character in every round.",
        "限定重复次数，例如 {{0,80}}，或要求每次重复都含有其他字符。",
    ),
    "forbidden-literal": _error(
        "rule {rule} must write {literal}, which holds the forbidden word {word}",
        "规则 {rule} 必须写出 {literal}，其中含有禁用词 {word}",
        "Reword the literal, or take {word} out of the lexicon, or guard the longer word that may hold it.",
        "改写该文字，或从词库中删除 {word}，或将允许包含它的较长词列为例外。",
    ),
    "forbidden-option": _warning(
        "{literal} in rule {rule} can never be written: it holds the forbidden word {word}",
        "规则 {rule} 中的 {literal} 永远无法写出：其中含有禁用词 {word}",
        "Reword the literal, or take {word} out of the lexicon, or guard the longer word that may hold it.",
        "改写该文字，或从词库中删除 {word}，或将允许包含它的较长词列为例外。",
    ),
    "state-budget": _error(
        "rule {rule} passed {budget} states at {states}, because {why}",
        "规则 {rule} 的状态数达到 {states}，超过上限 {budget}，原因：{why_zh}",
        "Lower the counts and depths in it, or keep parts apart that may begin alike.",
        "减小其中的重复次数或嵌套深度，或避免并列部分以相同内容开头。",
    ),
    "depth-budget": _error(
        "rule {rule} opens more rules inside each other than can be followed",
        "规则 {rule} 逐层展开的规则过多",
        "Lower the max_depth of the rules on its loop, or join rules.",
        "减小循环中各规则的 max_depth，或合并规则。",
    ),
    "time-budget": _error(
        "checking did not end within {seconds} s{where}",
        "检查未能在 {seconds} 秒内完成{where_zh}",
        "Split the grammar, and lower its counts and depths.",
        "拆分文法，并减小重复次数和嵌套深度。",
    ),
    "memory-budget": _error(
        "checking needed more than {mebibytes} MiB of memory{where}",
        "检查所需内存超过 {mebibytes} MiB{where_zh}",
        "Split the grammar, and lower its counts and depths.",
        "拆分文法，并减小重复次数和嵌套深度。",
    ),
    "cost": Wording(
        "note",
        "start rule {rule}: {rules} rules, about {states} states before minimisation, {counters} counters, shortest text {shortest}",
        "起始规则 {rule}：{rules} 条规则，最小化前约 {states} 个状态，{counters} 个计数器，最短文本 {shortest} 个字符",
        "Nothing to do.",
        "无需处理。",
    ),
}

# Parts of rule text as a syntax error names them: English, Chinese.
PARTS: dict[str, tuple[str, str]] = {
    "END": ("the end of the file", "文件末尾"),
    "NAME": ("a name", "名称"),
    "STRING": ("a quoted text", "引号文本"),
    "SET": ("a set [...]", "字符集 [...]"),
    "INT": ("a number", "数字"),
    "NUMBER": ("a number", "数字"),
    "BOUNDS": ("{m,n}", "{m,n}"),
    "OPTIONS": ("'options {'", "'options {'"),
    "TOKENS": ("'tokens {'", "'tokens {'"),
    "REGEX": ("a regular expression /.../", "正则表达式 /.../"),
    "RULE": ("a rule", "规则"),
    "SIGN": ("? * or +", "? * 或 +"),
    "_NL": ("the end of the line", "行末"),
    "_OR": ("'|'", "'|'"),
    "VALUE": ("a JSON value", "JSON 值"),
    "MEMBER": ("a member name in double quotes", "双引号中的成员名"),
    "JSON_STRING": ("a JSON string", "JSON 字符串"),
    "SMALLER": ("a smaller number", "更小的数"),
    "NO_SURROGATES": ("a string without surrogates", "不含代理码位的字符串"),
}
