"""How fast are claims written, beside transformers and llama.cpp on the same GGUF weights?

    python -m benchmarks.decode --json [--model NAME] [--claims 10] [--tokens 96] [--peers ours,llamacpp,transformers]

Ten independent claims are asked for, each under the shipped claims grammar bound to its own terms and words. Rates are
tokens a second after the first token, greedy, without the prompt; figures are medians over the claims, with the quartiles
in `spread`. ours_plain and ours_full differ in speculation only, and `identical` says whether their tokens are the same.
The peers' grammars are the syntax of the same rule, with the same words; what 所述 may name is beyond them. A peer that
is not there has null, with the reason in `notes`. No network is used.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GRAMMAR = Path(__file__).parents[1] / "grammars" / "claims_zh.g4"
MAX_CHARS = 160


@dataclass(frozen=True)
class Disclosure:
    subject: str
    terms: tuple[str, ...]
    features: str


DISCLOSURES = [
    Disclosure(subject, tuple(terms.split("、")), features)
    for subject, terms, features in (
        ("门锁", "壳体、锁舌、弹簧、拉杆", "壳体内滑动设有锁舌，弹簧把锁舌推向锁定位置，拉杆与锁舌铰接，拉杆的端部伸出壳体。"),
        ("轨道运输车", "车架、料斗、摆臂、偏心块、扭簧", "车架上设有料斗，车架的底部铰接摆臂，摆臂的端部固定偏心块，扭簧使偏心块贴紧轨道。"),
        ("净水杯", "杯体、滤芯、密封圈、杯盖", "杯体的上端螺纹连接杯盖，杯盖的下方固定滤芯，滤芯与杯体之间设有密封圈。"),
        ("折叠梯", "支腿、踏板、铰链、限位杆", "两个支腿通过铰链转动连接，支腿之间固定多个踏板，限位杆的两端分别与两个支腿铰接。"),
        ("喂食器", "储料筒、拨轮、电机、料槽", "储料筒的底部设有出料口，拨轮转动设于出料口内，电机与拨轮连接，料槽位于拨轮的下方。"),
        ("散热座", "底板、翅片、热管、风扇", "底板上平行固定多个翅片，热管穿过翅片并嵌入底板，风扇固定于翅片的一侧。"),
        ("种植箱", "箱体、隔板、吸水绳、水位管", "箱体内水平设有隔板，隔板的下方为储水腔，吸水绳穿过隔板伸入储水腔，水位管竖直固定于箱体的侧壁。"),
        ("夹具", "底座、丝杠、滑块、夹爪", "底座上转动设有丝杠，滑块与丝杠螺纹连接，两个夹爪相对设置，其中一个夹爪固定于滑块。"),
        ("雨水收集装置", "收集槽、过滤网、沉淀箱、溢流管", "收集槽的出口与沉淀箱连通，收集槽内倾斜设有过滤网，溢流管连接于沉淀箱的上部。"),
        ("书写板", "面板、背板、磁条、挂钩", "面板的背面粘接背板，背板内嵌有磁条，背板的上边缘设有挂钩。"),
    )
]


class Unavailable(Exception):
    """A peer that cannot be measured here; the message is the reason."""


@dataclass(frozen=True)
class Task:
    """A claim to write: chat messages, and the words of its slots."""

    messages: list[dict[str, str]]
    slots: dict[str, list[str]]
    terms: tuple[str, ...]
    source: str

    def gbnf(self) -> str:
        """The rule `independent` of the claims grammar, with the words of this claim."""
        lists = {name: " | ".join(json.dumps(word, ensure_ascii=False) for word in words) for name, words in self.slots.items()}
        return f"""root ::= "一种" subject "，其特征在于，" ( "包括" | "包括以下步骤：" ) clause ( ( "，" | "；" ) clause )* "。"
clause ::= phrase ( "、" phrase )*
phrase ::= piece piece*
piece ::= "所述" term | word
subject ::= {lists["SUBJECT"]}
term ::= {lists["TERM"]}
word ::= {lists["WORD"]}
"""


def tasks(count: int) -> list[Task]:
    from apps.drafting.lexicon import claim_words

    made = []
    for given in DISCLOSURES[:count]:
        terms = (given.subject, *given.terms)
        asked = f"技术特征：{given.features}\n为一种{given.subject}写一条独立权利要求，逐字使用上面的特征，重复提到的部件前加“所述”。"
        messages = [{"role": "system", "content": "你撰写中国专利的权利要求书。"}, {"role": "user", "content": asked}]
        slots = {"SUBJECT": [given.subject], "TERM": list(terms), "WORD": claim_words(given.features, terms)}
        made.append(Task(messages, slots, terms, given.features))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--model", help="registered name or path; default CLAIMWRIGHT_MODEL")
    parser.add_argument("--claims", type=int, default=len(DISCLOSURES))
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--peers", default="ours,llamacpp,transformers")
    options = parser.parse_args()
    report = measure(options.model, options.claims, options.tokens, options.peers.split(","))
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
        return
    for name, value in report["figures"].items():
        print(f"{name:28} {'-' if value is None else format(value, '.2f')}  {report['spread'].get(name, '')}")
    for name, note in report["notes"].items():
        print(f"{name}: {note}")


def measure(model: str | None, claims: int, tokens: int, peers: Sequence[str]) -> dict[str, Any]:
    """The report. The peers run one after the other, and only one model is in memory at a time."""
    asked = tasks(claims)
    known: dict[str, tuple[Callable[..., dict[str, list[float]]], tuple[str, ...]]] = {
        "transformers": (_transformers, ("transformers_tok_s",)),
        "llamacpp": (_llama_cpp, ("llamacpp_grammar_tok_s", "llamacpp_free_tok_s")),
        "ours": (_ours, ("ours_plain_tok_s", "ours_full_tok_s", "acceptance_length", "identical")),
    }
    figures: dict[str, float | None] = {}
    spread: dict[str, list[float]] = {}
    notes: dict[str, str] = {}
    for peer, (run, names) in known.items():
        figures.update(dict.fromkeys(names))
        if peer not in peers:
            continue
        try:
            for name, values in run(model, asked, tokens).items():
                figures[name] = min(values) if name == "identical" else statistics.median(values)
                if len(values) > 1 and name != "identical":
                    spread[name] = [round(cut, 2) for cut in statistics.quantiles(values, n=4)[::2]]
        except Exception as error:  # a broken peer must not hide the other figures
            notes[peer] = str(error) if isinstance(error, Unavailable) else f"{type(error).__name__}: {error}"
    return {
        "figures": figures, "spread": spread, "runs": len(asked), "machine": _machine(), "commit": _commit(), "notes": notes,
    }  # fmt: skip


def _ours(model: str | None, asked: list[Task], tokens: int) -> dict[str, list[float]]:
    from engine.core import Engine
    from engine.grammar import Frame, Grammar
    from engine.request import Request

    engine, grammar = Engine.open(model), Grammar.load(GRAMMAR)
    found: dict[str, list[float]] = {"ours_plain_tok_s": [], "ours_full_tok_s": [], "acceptance_length": [], "identical": []}

    def write(task: Task, speculation: str) -> tuple[list[int], dict[str, Any]]:
        frame = Frame(task.slots, source=task.source, terms=task.terms)
        state = grammar.start("independent", engine.vocabulary, frame, MAX_CHARS)
        request = Request(task.messages, state, max_tokens=max(tokens, 2 * MAX_CHARS), speculation=speculation)
        deltas = list(engine.generate(request))
        return [token for delta in deltas for token in delta.token_ids], dict(deltas[-1].stats)

    write(asked[0], "off")
    for task in asked:
        (plain, slow), (full, fast) = write(task, "off"), write(task, "auto")
        found["ours_plain_tok_s"].append(slow["tokens_per_second"])
        found["ours_full_tok_s"].append(fast["tokens_per_second"])
        found["acceptance_length"].append(fast["acceptance_length"])
        found["identical"].append(float(plain == full))
    return found


def _llama_cpp(model: str | None, asked: list[Task], tokens: int) -> dict[str, list[float]]:
    try:
        from llama_cpp import Llama, LlamaGrammar
    except ImportError:
        raise Unavailable("llama-cpp-python is not installed") from None
    threads = _threads()
    peer = Llama(str(_gguf(model)), n_ctx=1024, verbose=False, n_threads=threads, n_threads_batch=threads)
    reader = _tokenizer(model)

    def rate(task: Task, grammar: Any) -> float:
        peer.reset()
        times = []
        for token in peer.generate(reader.chat(task.messages), temp=0.0, repeat_penalty=1.0, grammar=grammar):
            times.append(time.perf_counter())
            if token == peer.token_eos() or len(times) > tokens:
                break
        return _rate(times)

    rate(asked[0], None)
    return {
        "llamacpp_free_tok_s": [rate(task, None) for task in asked],
        "llamacpp_grammar_tok_s": [rate(task, LlamaGrammar.from_string(task.gbnf(), verbose=False)) for task in asked],
    }


def _transformers(model: str | None, asked: list[Task], tokens: int) -> dict[str, list[float]]:
    import torch

    try:
        import xgrammar
        from xgrammar.contrib.hf import LogitsProcessor
    except ImportError:
        raise Unavailable("xgrammar is not installed") from None
    from transformers import AutoModelForCausalLM, AutoTokenizer, StoppingCriteria, StoppingCriteriaList

    path = _gguf(model)
    source = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name, "local_files_only": True}
    peer = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32).eval()
    info = xgrammar.TokenizerInfo.from_huggingface(AutoTokenizer.from_pretrained(**source), vocab_size=peer.config.vocab_size)
    compiler, reader = xgrammar.GrammarCompiler(info), _tokenizer(model)

    class Clock(StoppingCriteria):
        def __init__(self) -> None:
            self.times: list[float] = []

        def __call__(self, input_ids: Any, scores: Any, **rest: Any) -> Any:
            self.times.append(time.perf_counter())
            return torch.zeros(len(input_ids), dtype=torch.bool)

    def rate(task: Task) -> float:
        clock, processor = Clock(), LogitsProcessor(compiler.compile_grammar(xgrammar.Grammar.from_ebnf(task.gbnf())))
        with torch.inference_mode():
            peer.generate(
                torch.tensor([reader.chat(task.messages)]), max_new_tokens=tokens, do_sample=False,
                logits_processor=[processor], stopping_criteria=StoppingCriteriaList([clock]), repetition_penalty=1.0,
            )  # fmt: skip
        return _rate(clock.times)

    return {"transformers_tok_s": [rate(task) for task in asked]}


def _rate(times: list[float]) -> float:
    """Tokens a second after the first."""
    return (len(times) - 1) / max(1e-9, times[-1] - times[0])


def _tokenizer(model: str | None) -> Any:
    """Ours for all, so that every peer reads the same prompt."""
    from engine.loading.gguf_file import GgufWeights
    from engine.loading.tokenizer import from_gguf

    return from_gguf(GgufWeights(_gguf(model)))


def _gguf(model: str | None) -> Path:
    from engine.config import EngineConfig
    from engine.loading.registry import resolve

    files = resolve(EngineConfig.from_environment(model).model)
    if files.kind != "gguf":
        raise Unavailable(f"the model is {files.kind}, not GGUF")
    return Path(files.path)


def _threads() -> int:
    import torch

    return torch.get_num_threads()


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor() or platform.machine()
    return f"{cpu}, {os.cpu_count()} CPUs, {_threads()} threads, {platform.system()}, Python {platform.python_version()}"


def _commit() -> str | None:
    try:
        return subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


if __name__ == "__main__":
    main()
