"""What the tests of pages and API share: two firms, their users, and a small deterministic pipeline.

The pipeline writes the same filing for every disclosure, with the events a real one reports. The variable
CLAIMWRIGHT_TEST_PACE is the pause between pieces of text in seconds, so that a browser can watch.
"""

import os
import time

import pytest

TEXT = "# 技术交底书\n\n**发明名称**：一种门锁防夹装置\n\n壳体1固定在门扇的侧边，壳体1内设有滑槽11。锁舌2滑动设置在滑槽11内，锁舌2的后端开有卡槽21。复位弹簧3的一端抵接锁舌2的后端，另一端抵接壳体1的内壁。\n"
CLAIMS = [
    "一种门锁防夹装置，其特征在于，包括壳体、锁舌和复位弹簧，所述壳体固定在门扇的侧边，所述壳体内设有滑槽，所述锁舌滑动设置在所述滑槽内。",
    "根据权利要求1所述的门锁防夹装置，其特征在于，所述锁舌的后端开有卡槽。",
    "根据权利要求1或2所述的门锁防夹装置，其特征在于，所述复位弹簧的一端抵接所述锁舌的后端。",
    "根据权利要求2所述的门锁防夹装置，其特征在于，所述扭簧套设在感应杆上。",
]
FINDING = {
    "rule": "CN-CLM-040", "claim": 4, "part": "claims", "severity": "error", "start": 23, "end": 27,
    "message": "“所述扭簧” has no antecedent", "message_zh": "“所述扭簧”缺少引用基础", "consequence": "F",
    "law": "专利法26.4",
}  # fmt: skip
ENGINE = "tests.webkit.no_engine"
PIPELINE = "tests.webkit.small_pipeline"


def no_engine(name: str):
    """The small pipeline needs none."""
    return None


def small_pipeline(text, *, engine, options, on_event, checkpoint, save_checkpoint, cancelled) -> dict:
    """Four claims, a description, an abstract, one finding. A disclosure with 出错 fails, one with 慢 takes
    eight times as long, so that it can be stopped."""
    pace = float(os.environ.get("CLAIMWRIGHT_TEST_PACE", "0")) * (8 if "慢" in text else 1)
    if "出错" in text:
        raise RuntimeError("asked for by the disclosure")
    claims = list(checkpoint.get("claims", []))
    on_event({"kind": "stage", "stage": "invention", "percent": 5})
    for number, claim in enumerate(CLAIMS, 1):
        if number <= len(claims):
            continue
        on_event({"kind": "stage", "stage": "claims", "percent": 5 + number * 15, "claim": number, "claims": len(CLAIMS)})
        for at in range(0, len(claim), 6):
            if cancelled():
                return {}
            on_event({"kind": "text", "part": "claim", "claim": number, "text": claim[at : at + 6]})
            time.sleep(pace)
        claims.append({"number": number, "text": claim})
        on_event({"kind": "claim", **claims[-1]})
        on_event({"kind": "speed", "tokens_per_second": 41.5})
        save_checkpoint({"claims": claims})
    on_event({"kind": "stage", "stage": "description", "percent": 85})
    return {
        "title": "一种门锁防夹装置",
        "claims": claims,
        "description": {
            "sections": [
                {"heading": "技术领域", "paragraphs": ["本发明涉及建筑五金技术领域，具体涉及一种门锁防夹装置。"]},
                {"heading": "发明内容", "paragraphs": [CLAIMS[0], "锁舌遇到手指时停止推出。"]},
            ]
        },
        "drawings": [],
        "abstract": "本发明公开了一种门锁防夹装置，包括壳体、锁舌和复位弹簧。",
        "invention": {},
        "plan": [],
        "findings": [FINDING],
        "provenance": {"grammar": "a" * 64, "seed": options["seed"]},
        "timings": {"claims": 1.0},
        "trace": [],
    }


@pytest.fixture
def people(db):
    """Two users of two firms."""
    from apps.accounts.models import Firm, User

    return [
        User.objects.create_user(name, password="correct horse", firm=Firm.objects.create(name=f"{name} firm"))
        for name in ("lin", "wang")
    ]


@pytest.fixture
def small(settings):
    """Jobs run through the small pipeline."""
    settings.CLAIMWRIGHT_PIPELINE, settings.CLAIMWRIGHT_ENGINE = PIPELINE, ENGINE
    return settings


def run_jobs() -> None:
    """Work until no job is left."""
    from apps.drafting.runner import owner_name, work_once

    while work_once(owner_name()) is not None:
        pass
