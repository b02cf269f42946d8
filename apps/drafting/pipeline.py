"""From a disclosure to a filing: invention model, plan, claims one by one, title, abstract, description, check.

    filing = draft_filing(text, engine=engine, options=Options(), on_event=print, checkpoint={},
                          save_checkpoint=store, cancelled=lambda: False)

Pure of the database. What is finished is in the checkpoint and is not done again: a run that dies or is cancelled goes
on at the next claim.
"""

from __future__ import annotations

import copy
import hashlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.claims.check import description_text
from apps.claims.finding import Finding
from apps.common.errors import ProductError
from apps.drafting import prompts
from apps.drafting.description import build_description
from apps.drafting.excerpt import MAX_CHARS, excerpt, plain, readable
from apps.drafting.free import FreeWriter, reread
from apps.drafting.invention import Invention, InventionError, validate
from apps.drafting.lexicon import extended_terms, introduced
from apps.drafting.markers import with_marks
from apps.drafting.plan import MAX_CLAIMS, PlannedClaim, ancestors, make_plan
from apps.drafting.signs import unsigned
from apps.drafting.writing import GrammarWriter

MIN_DISCLOSURE = 20
SPEED_SECONDS = 1.0
# Tokens: longer than what a claim repeats on purpose (分别与所述清洗箱的内壁连接), shorter than a loop's claim.
NO_REPEAT = 20
# Natural logarithm: a claim whose words keep less than this share of the model's own probability was written against the
# model, and should be read with care. A house value: one in ten; the 21 claims of the three examples keep 0.9 and more.
FORCED = -2.3
# Slots in which the model words the claim; the others hold what the host decided.
WORDED = ("TERM", "WORD")
Event = dict[str, Any]


class Cancelled(Exception):
    """The caller gave up; the checkpoint holds what was finished."""


@dataclass(frozen=True)
class Options:
    """seed: of the sampler. grammar: False decodes freely. max_claims: at most so many claims (fees start at 11).
    max_chars: characters of the disclosure that the model reads. firm: whose draft it is; nothing that the engine keeps of
    one firm's texts serves another's."""

    seed: int = 0
    grammar: bool = True
    max_claims: int = MAX_CLAIMS
    max_chars: int = MAX_CHARS
    firm: str = ""


def draft_filing(
    text: str,
    *,
    engine: Any,
    options: Options,
    on_event: Callable[[Event], None],
    checkpoint: dict[str, Any],
    save_checkpoint: Callable[[dict[str, Any]], None],
    cancelled: Callable[[], bool],
    on_trace: Callable[[Event], None] | None = None,
) -> dict[str, Any]:
    """The filing as a dict. Raises Cancelled, ProductError (empty_disclosure, no_invention) and the engine's errors.

    Events are dicts with kind stage, text, claim, speed or finding. `on_trace` is given SHIFT and REDUCE while claims,
    title and abstract are written, as far as they are certain: the filing's trace, without what a checkpoint held. With it,
    each SHIFT of the filing's trace has `mass`: the probability, by the model, of what the grammar allowed there, and
    `favourites`: what the model would have liked best and the grammar refused, and why.
    """
    return _Run(text, engine, options, on_event, checkpoint, save_checkpoint, cancelled, on_trace).filing()


def log_masses(events: Sequence[Event]) -> dict[int, float]:
    """For each claim with recorded masses, the sum of the logarithms of what the grammar allowed where the model worded it:
    how far the text is from what the model would have written (grammar-aligned gap, Park et al. 2024)."""
    out: dict[int, float] = {}
    for event in events:
        if "claim" in event and "mass" in event:
            gap = math.log(max(event["mass"], 1e-300)) if event.get("slot") in WORDED else 0.0
            out[event["claim"]] = round(out.get(event["claim"], 0.0) + gap, 3)
    return out


def read_back(filing: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on title, abstract and description where their grammars refuse them: mostly what the disclosure lacks."""
    from engine.grammar.language import read

    texts = {
        "title": ("title_granted_zh", filing["title"]),
        "abstract": ("abstract_granted_zh", filing["abstract"]),
        "description": ("description_zh", f"{filing['title']}\n{description_text(filing['description'])}"),
    }
    return [
        Finding(
            f"{profile}.{reason.code}", 0, "warning", reason.start, reason.end, reason.en, reason.zh, "F", reason.law, part
        ).to_dict()
        for part, (profile, text) in texts.items()
        for reason in read([text], profile, context={"title": filing["title"]})[0].reasons
    ]


def checkpoint_key(text: str, options: Options) -> str:
    """What a checkpoint belongs to: one disclosure under one set of options."""
    return hashlib.sha256(f"{asdict(options)}\n{plain(text)}".encode()).hexdigest()


class _Run:
    def __init__(
        self,
        text: str,
        engine: Any,
        options: Options,
        on_event: Callable[[Event], None],
        checkpoint: dict[str, Any],
        save_checkpoint: Callable[[dict[str, Any]], None],
        cancelled: Callable[[], bool],
        on_trace: Callable[[Event], None] | None = None,
    ):
        self.text = plain(text)
        if len(self.text) < MIN_DISCLOSURE:
            raise ProductError("empty_disclosure", _("The disclosure is empty or too short to draft from."))
        self.engine, self.options, self.emit = engine, options, on_event
        self._save, self._cancelled, self._on_trace = save_checkpoint, cancelled, on_trace
        self.read, self.left_out = excerpt(unsigned(readable(self.text))[0], options.max_chars)
        key = checkpoint_key(text, options)
        self.done = copy.deepcopy(checkpoint) if checkpoint.get("key") == key else {"key": key}
        self.timings: dict[str, float] = self.done.setdefault("timings", {})
        self._spoken = 0.0

    def filing(self) -> dict[str, Any]:
        invention = self._invention()
        terms = extended_terms(self.read, invention.terms)
        with self._stage("plan", 22):
            if "plan" not in self.done:
                plan = make_plan(invention, self.text, terms, self.options.max_claims)
                self._keep(plan=[planned.to_dict() for planned in plan])
        plan = [PlannedClaim.from_dict(item) for item in self.done["plan"]]
        self_name = invention.self_name(self.text)
        writer = self._writer(terms, invention.subject.text, self_name)
        dialogue = prompts.Dialogue(self.read, invention, plan, terms)
        claims = self._claims(writer, dialogue)
        written = {claim["number"]: claim["text"] for claim in claims}
        title = self._once("title", 88, lambda: writer.title(dialogue.title(written)))
        abstract = self._once("abstract", 90, lambda: writer.abstract(dialogue.abstract(written), dialogue.material(written)))
        if not self.options.grammar:
            claims = reread(claims)
        with self._stage("description", 96):
            description = build_description(invention, claims, self.text, terms)
        filing = {
            "title": title,
            "claims": claims,
            "description": {"sections": description["sections"]},
            "drawings": description["drawings"],
            "utility_model": self_name == "本实用新型",
            "signs": {sign: term for term, sign in description["signs"].items()},
            "abstract": abstract,
            "source": self.text,
            "invention": invention.to_dict(),
            "plan": [planned.to_dict() for planned in plan],
        }
        with self._stage("check", 98):
            filing["findings"] = self._check(filing, terms)
            filing["trace"] = self._trace(writer, dialogue, written, title, abstract)
        filing["provenance"] = {**self._provenance(writer), "self_names_changed": description["self_names_changed"]}
        if gaps := log_masses(filing["trace"]):
            filing["provenance"] |= {"log_mass": gaps, "forced_claims": [n for n, gap in gaps.items() if gap < FORCED]}
        filing["timings"] = {name: round(seconds, 3) for name, seconds in self.timings.items()}
        return filing

    def _invention(self) -> Invention:
        with self._stage("invention", 2):
            if "invention" not in self.done:
                data = self._extract()
                try:
                    invention = with_marks(validate(data, self.text), self.text)
                except InventionError as error:
                    raise ProductError("no_invention", _("No invention was found in the disclosure: %s.") % error) from error
                self._keep(invention=invention.to_dict())
        return Invention.from_dict(self.done["invention"])

    def _extract(self) -> dict[str, Any]:
        try:
            return self._writer([], "").invention(prompts.invention(self.read))
        except InventionError as error:
            raise ProductError("no_invention", _("No invention was found in the disclosure: %s.") % error) from error

    def _claims(self, writer: Any, dialogue: prompts.Dialogue) -> list[dict[str, Any]]:
        plan, terms = dialogue.plan, dialogue.terms
        claims: list[dict[str, Any]] = self.done.setdefault("claims", [])
        written = {claim["number"]: claim["text"] for claim in claims}
        for at, planned in enumerate(plan):
            if planned.number in written:
                self.emit({"kind": "claim", "number": planned.number, "text": written[planned.number], "resumed": True})
                continue
            with self._stage("claims", 24 + 62 * at // len(plan), claim=planned.number, claims=len(plan)):
                text = writer.claim(dialogue.claim(planned.number, written), planned, self._scope(planned.number, plan, written, terms))
                written[planned.number] = text
                claims.append({"number": planned.number, "text": text})
                self.emit({"kind": "claim", "number": planned.number, "text": text})
            self._keep()
        return claims

    @staticmethod
    def _scope(
        number: int, plan: Sequence[PlannedClaim], written: dict[int, str], terms: Sequence[str]
    ) -> list[str]:
        return introduced([written[ancestor] for ancestor in ancestors(number, plan)], terms)

    def _writer(self, terms: Sequence[str], subject: str, self_name: str = "") -> GrammarWriter | FreeWriter:
        if not self.options.grammar:
            return FreeWriter(self._generate)
        return GrammarWriter(self._generate, self.engine.vocabulary, self.read, terms, subject, self_name)

    def _generate(
        self, part: str, messages: prompts.Messages, parser: Callable[[], Any] | None = None, **limits: Any
    ) -> str:
        """One engine request, streamed as text events and, where it has a parser, as a trace. Raises Cancelled."""
        from engine.request import Request, Sampling

        self._stop_if_cancelled()
        place: Event = {"kind": "text", "part": part.split()[0]}
        if part.startswith("claim "):
            place["claim"] = int(part.split()[1])
        traced = {"claim": place["claim"]} if "claim" in place else {"part": part}
        reader = parser() if parser and self._on_trace and part != "invention" else None

        def tell(events: Iterable[Event]) -> None:
            for event in events:
                if self._on_trace:
                    self._on_trace({**event, **traced})

        recorded = self._on_trace is not None and "grammar" in limits
        request = Request(
            prompt=messages, trace=recorded, sampling=Sampling(seed=self.options.seed, no_repeat_ngram=NO_REPEAT),
            cancelled=self._cancelled, salt=self.options.firm, **limits
        )
        text, tokens, allowed = "", [], ()
        for delta in self.engine.generate(request):
            text += delta.text
            tokens += delta.token_ids
            allowed = delta.stats.get("allowed", ())
            if delta.text:
                self.emit({**place, "text": delta.text})
                tell(reader.feed(delta.text) if reader else ())
            self._speed(delta)
            if delta.finish_reason == "cancelled":
                raise Cancelled
        self._stop_if_cancelled()
        tell(reader.finish() if reader else ())
        if allowed:
            self.done.setdefault("mass", {})[part] = self._masses(tokens, allowed)
        return text

    def _masses(self, tokens: Sequence[int], allowed: Sequence[Any]) -> list[tuple[int, float, str | None]]:
        """Where each token with a choice begins, in characters, its allowed mass, and the model's favourite if it was refused:
        its text, empty for the end."""
        written, out, spelt = b"", [], self.engine.vocabulary.token_bytes
        for token, step in zip(tokens, allowed, strict=True):
            if step.mass < 1:
                favourite = None if step.refused is None else (spelt[step.refused] or b"").decode("utf-8", "replace")
                out.append((len(written.decode("utf-8", "ignore")), step.mass, favourite))
            written += spelt[token] or b""
        return out

    def _with_mass(self, events: list[Event], part: str, why: Callable[[str, str], dict[str, str]]) -> list[Event]:
        """SHIFT events with the product of the masses of the tokens that begin in them, and the model's refused favourites."""
        found = self.done.get("mass", {}).get(part)
        if found is None:
            return events
        text = "".join(event["text"] for event in events if event["op"] == "SHIFT")
        out = []
        for event in events:
            if event["op"] == "SHIFT":
                here = [step for step in found if event["start"] <= step[0] < event["end"]]
                event = {**event, "mass": math.prod(step[1] for step in here)}
                refused = [{"token": token, "text": why(text[:at], token)} for at, _, token in here if token is not None]
                event |= {"favourites": refused} if refused else {}
            out.append(event)
        return out

    def _speed(self, delta: Any) -> None:
        now = time.monotonic()
        if delta.tokens_per_second and now - self._spoken >= SPEED_SECONDS:
            self._spoken = now
            self.emit({"kind": "speed", "tokens_per_second": round(float(delta.tokens_per_second), 2)})

    def _once(self, name: str, percent: int, write: Callable[[], str]) -> str:
        with self._stage(name, percent):
            if name not in self.done:
                self._keep(**{name: write()})
        return str(self.done[name])

    @contextmanager
    def _stage(self, name: str, percent: int, **data: Any) -> Iterator[None]:
        self._stop_if_cancelled()
        self.emit({"kind": "stage", "stage": name, "percent": percent, **data})
        begun = time.monotonic()
        yield
        self.timings[name] = self.timings.get(name, 0.0) + time.monotonic() - begun

    def _keep(self, **finished: Any) -> None:
        self.done.update(finished)
        self._save(copy.deepcopy(self.done))

    def _stop_if_cancelled(self) -> None:
        if self._cancelled():
            raise Cancelled

    def _check(self, filing: dict[str, Any], terms: Sequence[str]) -> list[dict[str, Any]]:
        from apps.claims.check import check_claims, check_filing
        from apps.claims.parse import ClaimSet

        claimset = ClaimSet.from_list(filing["claims"])
        found = [*check_claims(claimset, signs=filing["signs"], known_terms=list(terms)), *check_filing(filing)]
        findings = [finding.to_dict() for finding in found] + read_back(filing)
        for finding in findings:
            self.emit({"kind": "finding", **finding})
        return findings

    def _trace(
        self, writer: Any, dialogue: prompts.Dialogue, written: dict[int, str], title: str, abstract: str
    ) -> list[dict[str, Any]]:
        plan, terms = dialogue.plan, dialogue.terms
        events: list[Event] = []

        def add(part: str, text: str, place: Event, **context: Any) -> None:
            kind = part.split()[0]
            traced = writer.trace(kind, text, **context)
            told = self._with_mass(traced, part, lambda before, token: writer.why(kind, before, token, **context))
            events.extend({**event, **place} for event in told)

        for planned in plan:
            scope = self._scope(planned.number, plan, written, terms)
            add(f"claim {planned.number}", written[planned.number], {"claim": planned.number}, planned=planned, scope=scope)
        add("title", title, {"part": "title"})
        add("abstract", abstract, {"part": "abstract"}, material=dialogue.material(written))
        return events

    def _provenance(self, writer: Any) -> dict[str, Any]:
        return {
            "model": str((self.engine.info or {}).get("name", "")),
            "seed": self.options.seed,
            "mode": writer.mode,
            "grammar": writer.versions,
            "exact": bool(getattr(self.engine, "exact", False)),
            "disclosure_sha256": hashlib.sha256(self.text.encode()).hexdigest(),
            "characters_left_out": self.left_out,
        }
