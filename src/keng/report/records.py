"""Findings and explanations as plain data: the JSON that programs read. Names stay as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keng.model import (
        Diagnosis,
        Explanation,
        Finding,
        Fix,
        Pitfall,
        Reason,
        ShapeStep,
        ShapeTrail,
        Skipped,
        Span,
        Traced,
        Value,
    )
    from keng.ranks.calls import Call, Standing
    from keng.report.recipes import Recipe
    from keng.run.comparison import Comparison, Difference

Record: TypeAlias = "dict[str, Any]"


def of_findings(findings: Iterable[Finding], skipped: Iterable[Skipped]) -> Record:
    return {
        "findings": [of_finding(finding) for finding in findings],
        "blind": [{"path": each.path, "why": each.why} for each in skipped],
    }


def of_finding(finding: Finding) -> Record:
    from keng.model import Span
    from keng.pitfalls.texts import advice_of

    hit = finding.hit
    where = hit.where or Span("", 0)
    return {
        "pitfall": finding.pitfall,
        "group": finding.group,
        "severity": finding.severity,
        "sure": hit.sure,
        "origin": finding.origin,
        "path": where.path or None,
        "line": where.line or None,
        "column": where.column,
        "end_line": where.end_line,
        "end_column": where.end_column,
        "says": hit.says,
        **_of_message(hit.says),
        "evidence": {name: _plain(value) for name, value in hit.evidence.items()},
        "advice": advice_of(hit.says, "en") or None,
        "fix": of_fix(hit.fix),
        "times": finding.times,
        "ranks": list(finding.ranks),
    }


def _of_message(says: str) -> Record:
    """The id of a sentence and the values of its holes, which stay when it is reworded; none for a sentence
    that the code composes."""
    from keng.model import Message

    if not isinstance(says, Message):
        return {"message_id": None, "values": {}}
    values = {
        name: _of_message(value) if isinstance(value, Message) else str(value)
        for name, value in says.values.items()
    }
    return {"message_id": says.id, "values": values}


def _plain(value: Value) -> Value:
    """JSON has no NaN and no infinity."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def of_fix(fix: Fix | None) -> Record | None:
    """Offsets of edits count bytes of the UTF-8 of the file's text."""
    if fix is None:
        return None
    edits = [{"start": e.start, "end": e.end, "text": e.text} for e in fix.edits]
    told = {"title": fix.title, "safety": fix.safety, "edits": edits}
    return {**told, "removes": list(fix.removes)}


def of_standing(standing: Standing) -> Record:
    """`at` are seconds since 1970."""
    return {
        "rank": standing.rank,
        "gone": standing.gone,
        "at": standing.at,
        "waits": [call.number for call in standing.waits],
        **_of_place(standing.where),
        "calls": [_of_call(call) for call in standing.calls],
    }


def _of_call(call: Call) -> Record:
    made = call.collective
    told = {"group": call.group, "number": call.number, "at": call.at, "op": made.op}
    return {**told, "shapes": made.shapes, "dtype": made.dtype, **_of_place(made.where)}


def _of_place(where: Span | None) -> Record:
    return {"path": where.path, "line": where.line} if where else {"path": None, "line": None}


def of_comparison(comparison: Comparison) -> Record:
    """A forward that `keng run --compare` ran two ways."""
    return {
        "way": comparison.way,
        "step": comparison.step,
        "model": comparison.model,
        "values": comparison.values,
        "refused": comparison.refused or None,
        "difference": _of_difference(comparison.difference),
    }


def _of_difference(found: Difference | None) -> Record | None:
    if found is None:
        return None
    told = {name: _plain(value) for name, value in found._asdict().items() if name != "where"}
    return {**told, "where": _of_place(found.where)}


def of_explanation(explanation: Explanation, cure: str = "") -> Record:
    """Every key is there for every error. `cure` is the advice on the page of the first diagnosis."""
    reason, place = explanation.reason, explanation.place
    return {
        "known": explanation.known,
        "pytorch": explanation.pytorch,
        "unclear": explanation.unclear,
        "error": explanation.error,
        "kind": explanation.kind or None,
        "owner": explanation.owner or None,
        "place": {**_of_place(place), "text": explanation.text or None},
        "raised": _of_place(reason.where if reason is not None else explanation.raised),
        "reason": _of_reason(reason) if reason is not None else None,
        "guards": _of_guards(reason) if reason is not None else [],
        "arguments": [_of_traced(each) for each in reason.values] if reason is not None else [],
        "shapes": list(explanation.shapes),
        "versions": dict(explanation.versions),
        "trail": _of_trail(explanation.trail) if explanation.trail is not None else None,
        "written": [{"text": each.text, **_of_place(each.where)} for each in explanation.written],
        "tried": list(explanation.tried),
        "note": explanation.note or None,
        "diagnoses": [
            _of_diagnosis(each, place, "" if n else cure)
            for n, each in enumerate(explanation.diagnoses)
        ],
    }


def _of_diagnosis(diagnosis: Diagnosis, place: Span | None, cure: str) -> Record:
    hit = diagnosis.hit
    where = hit.where or place
    return {
        "pitfall": diagnosis.pitfall,
        "confidence": diagnosis.confidence,
        "says": hit.says,
        **_of_message(hit.says),
        "why": list(diagnosis.why),
        "evidence": {name: _plain(value) for name, value in hit.evidence.items()},
        "advice": cure or None,
        "path": where.path if where else None,
        "line": where.line if where else None,
        "fix": of_fix(hit.fix),
    }


def _of_guards(reason: Reason) -> list[Record]:
    return [{"text": each.text, "holds": each.holds} for each in reason.conditions]


def _of_reason(reason: Reason) -> Record:
    """`path` and `line` are those of the raise; of values those of what the user wrote."""
    return {
        "kind": reason.kind,
        "raised_by": reason.raised_by,
        **_of_place(reason.where),
        "about": reason.about,
        "guards": _of_guards(reason),
        "checked_only_if": reason.outer.text if reason.outer is not None else None,
        "values": [_of_traced(each) for each in reason.values],
        "accepted": [each._asdict() for each in reason.accepted],
        "documented": reason.documented._asdict() if reason.documented is not None else None,
        "sure": reason.sure,
        "live": reason.live,
    }


def _of_trail(trail: ShapeTrail) -> Record:
    """`steps` are first to last; `passes` are inputs with which the same code runs."""
    return {
        "function": trail.function,
        "path": trail.path,
        "inputs": _of_shapes(trail.given),
        "steps": [_of_step(each) for each in trail.steps],
        "failing": _of_step(trail.failing),
        "operands": list(trail.operands),
        "passes": _of_shapes(trail.passes),
    }


def _of_step(step: ShapeStep) -> Record:
    return {**_of_place(step.where), "made": _of_shapes(step.made), "note": step.note or None}


def _of_shapes(named: Iterable[tuple[str, str]]) -> list[Record]:
    return [{"name": name, "shape": shape} for name, shape in named]


def _of_traced(traced: Traced) -> Record:
    """`how` the value came from `text`: argument, derived, default, assigned, set, alike, or unknown."""
    told = {"name": traced.name, "value": traced.value or None, "text": traced.text or None}
    return {**told, "how": traced.how or None, **_of_place(traced.where)}


def of_pitfall(pitfall: Pitfall, title: str, surfaces: Iterable[str]) -> Record:
    return {
        "name": pitfall.name,
        "group": pitfall.group,
        "severity": pitfall.severity,
        "title": title,
        "surfaces": list(surfaces),
        "aliases": list(pitfall.aliases),
    }


def of_recipe(recipe: Recipe) -> Record:
    return {"name": recipe.name, "title": recipe.title, "avoids": list(recipe.avoids)}
