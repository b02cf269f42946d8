"""Word lists of the wording rules, each with the guards that must not fire (指南II-2-3.2.2; rest is house policy).

A guard is a pattern that, where it covers a hit, silences it: 接近开关 is a component, not an approximation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

VAGUE_HARD = ("例如", "最好是", "最好", "尤其是", "必要时")
VAGUE_HOUSE = ("优选", "较佳地", "较佳", "较优", "特别是", "比如", "诸如", "可选地", "最佳")
COMMERCIAL = (
    "国际领先", "国内首创", "填补国内空白", "填补空白", "世界一流", "性价比", "热销", "爆款", "王牌", "驰名",
    "独一无二", "无可比拟", "革命性", "市场前景广阔", "深受欢迎", "国际先进", "行业第一",
)  # fmt: skip
RESIDUE = ("待补充", "待定", "TODO", "TBD", "FIXME", "???", "？？？", "```", "**", "作为AI", "作为人工智能", "好的，", "以下是", "以上为")
FOREIGN_TERMS = ("请求项", "申请专利范围", "该等", "该些", "前揭", "其特徵", "裝置", "如申请专利")
TRADITIONAL = frozenset("與為對應該從據權項裝製備設連結構體導電動機門開關馬達線頭個長寬間層邊緣處還進過無極壓熱溫氣說書離雙類區圖組統網絡號總數參標計單試驗傳軸鏈彈輪齒鋼鐵銅鋁釘鉗鏡緊絲環圓狀現產業務實際準確認選擇調節點顯視頻訊發報員場給讓請變換運輸遠遙階難雜順預頂風飛條約時問題")
SELF_NAMES = ("本发明", "本申请", "本实施例", "本专利", "本实用新型", "本公开")
BAD_HEADS = ("技术", "方案", "改进", "思路", "构思", "理念", "配方")
GENERIC_TITLES = ("方法", "装置", "设备", "系统", "组合物", "化合物", "产品", "机构", "结构")
SYNONYMS = (("支架", "支座"), ("控制器", "控制单元"), ("导热片", "导热垫"), ("壳体", "外壳"))
KNOWN_ABBREVIATIONS = {
    "CPU", "GPU", "RAM", "ROM", "EPROM", "LED", "USB", "PCB", "IC", "AC", "DC", "PC", "XML", "GB", "IP", "ID",
    "DNA", "RNA", "PVC", "PE", "PP", "PH", "TCP", "HTTP", "MPA", "KPA", "PPM", "RPM", "CN", "US", "SEQ", "NO",
}  # fmt: skip
# Names of program languages and systems, which need no Chinese form (指南II-2-2.2.7).
KNOWN_FOREIGN = {
    "Python", "Linux", "Windows", "Android", "Kotlin", "Swift", "Scala", "Julia", "Matlab", "Fortran", "Cobol", "Pascal",
    "Docker", "Redis", "Internet", "Bluetooth",
}  # fmt: skip
# Adjectives, and first characters of such, that ordinary names of parts begin with; any other makes a name look self-made
# (灵动片).
PART_ADJECTIVES = frozenset(
    "固定 清理 清洁 连通 平衡 稳定 精密 透明 干燥 安全 密封 柔软 坚固 光滑 平行 垂直 倾斜 均匀 密闭 封闭 开放 独立 高效 主动 轻便 "
    "坚硬 锋利 弯曲 笔直 空心 实心 对称 水平 活泼 灵敏 潮湿 湿润 紧凑 牢固".split()
)
PART_PREFIXES = frozenset("耐防抗可易无高低多双单全半自微超难不")

_GUARDS = {
    "优选": re.compile(r"优选级|优选器"),
    "最佳": re.compile(r"最佳(?:值|匹配|路径|点)"),
    "最好": re.compile(r"最好成绩"),
    "该等": re.compile(r"该等(?:离子|级|式|温|压|效|距|值|待|高|量)"),
    "以下是": re.compile(r"\d\S{0,4}以下是"),
    "好的，": re.compile(r"(?<=[一-龥])好的，"),
    "**": re.compile(r"[A-Za-z0-9)]\*\*"),
    "性价比": re.compile(r"$^"),
}
APPROXIMATE = re.compile(r"(?<![节条预合制公契特签])(?:大约|约)(?=为?\s*\d)|接近(?=\s*\d)|大致(?=\s*\d)|(?<=\d)[^\s，。；、]{0,4}左右(?![两侧移])")
OPEN_LIST = re.compile(
    r"(?<=[一-龥A-Za-z0-9）)])(?<![相均同对高平劣优中上下不某])等等?(?=[，。；、]|的(?=[^，。]{1,6})|中的|制成|组成|材料)"
    r"|或类似物|之类"
)


def hits(text: str, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Spans of the longest listed word at each place, guards respected."""
    pattern = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)))
    for match in pattern.finditer(text):
        guard = _GUARDS.get(match.group())
        covered = guard and any(g.start() <= match.start() and match.end() <= g.end() for g in guard.finditer(text))
        if not covered:
            yield match.span()
