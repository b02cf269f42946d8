"""A small finished filing, as the pipeline returns it."""

import pytest

TEXTS = [
    "一种门锁防夹装置，其特征在于，包括壳体（1）、锁舌（2）和感应杆（4），所述锁舌（2）滑动设置在所述壳体（1）内。",
    "根据权利要求1所述的门锁防夹装置，其特征在于，还包括扭簧（6），所述扭簧（6）驱动所述感应杆（4）复位。",
    "根据权利要求1或2所述的门锁防夹装置，其特征在于，所述感应杆（4）的外侧包覆有厚度为2mm至4mm的硅胶套（7）。",
]


@pytest.fixture
def filing():
    return {
        "title": "门锁防夹装置",
        "claims": [{"number": n, "text": text} for n, text in enumerate(TEXTS, 1)],
        "abstract": "本发明公开了一种门锁防夹装置，包括壳体、锁舌和感应杆，异物推动感应杆，锁舌被锁止。",
        "description": {
            "sections": [
                {"heading": "技术领域", "paragraphs": ["本发明涉及建筑五金技术领域，具体涉及一种门锁防夹装置。"]},
                {"heading": "背景技术", "paragraphs": ["现有的门锁只依靠锁舌的斜面导向，手指容易被夹伤。" * 60]},
                {"heading": "附图说明", "paragraphs": ["图1为整体结构示意图；", "图2为剖视图。"]},
                {"heading": "具体实施方式", "paragraphs": ["如图1所示，壳体1固定在门扇的侧边。"]},
            ]
        },
        "drawings": [{"number": "1", "caption": "整体结构示意图"}, {"number": "2", "caption": "剖视图"}],
        "invention": {
            "subject": {"text": "门锁防夹装置", "start": 14, "end": 20},
            "category": "产品",
            "parts": [{"text": "壳体", "start": 402, "end": 404}, {"text": "锁舌", "start": 407, "end": 409}],
        },
        "plan": [{"number": 1, "kind": "independent"}],
        "findings": [
            {
                "rule": "CN-CLM-001",
                "claim": 2,
                "severity": "warning",
                "start": 0,
                "end": 4,
                "message": "A <b>term</b> & more",
                "message_zh": "术语<b>不一致</b>",
                "consequence": "office action",
                "law": "专利法 26.4",
            }
        ],
        "provenance": {"model": "qwen2.5-coder-1.5b-instruct-q4_k_m", "seed": 0, "grammar": {"claims_zh": "ab12"}},
        "timings": {"invention": 3.21, "claims": 12.5},
        "trace": [
            {"op": "SHIFT", "text": "一种", "start": 0, "end": 2, "claim": 1},
            {"op": "REDUCE", "rule": "independent", "start": 0, "end": 60, "claim": 1},
            {"op": "ACCEPT", "rule": "independent", "start": 0, "end": 60, "claim": 1},
            {"op": "SHIFT", "slot": "SUBJECT", "text": "门锁防夹装置", "start": 0, "end": 6, "part": "title"},
        ],
    }
