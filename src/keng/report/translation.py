"""Findings and explanations in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterable

from keng._util.texts import texts
from keng.model import (
    Diagnosis,
    Explanation,
    Finding,
    Hit,
    Message,
    Notice,
    ShapeTrail,
    Skipped,
)
from keng.pitfalls.texts import spoken, texts_of


def findings_in(lang: str, findings: Iterable[Finding]) -> list[Finding]:
    return [finding_in(lang, finding) for finding in findings]


def finding_in(lang: str, finding: Finding) -> Finding:
    return finding._replace(hit=_hit_in(lang, finding.pitfall, finding.hit))


def explanation_in(lang: str, explanation: Explanation) -> Explanation:
    diagnoses = tuple(_diagnosis_in(lang, each) for each in explanation.diagnoses)
    trail = _trail_in(lang, explanation.trail) if explanation.trail is not None else None
    note = spoken(explanation.note, lang)
    return explanation._replace(diagnoses=diagnoses, note=note, trail=trail)


def _trail_in(lang: str, trail: ShapeTrail) -> ShapeTrail:
    steps = tuple(each._replace(note=spoken(each.note, lang)) for each in trail.steps)
    failing = trail.failing._replace(note=spoken(trail.failing.note, lang))
    return trail._replace(steps=steps, failing=failing)


def skipped_in(lang: str, skipped: Iterable[Skipped]) -> list[Skipped]:
    return [each._replace(why=spoken(each.why, lang)) for each in skipped]


def notices_in(lang: str, notices: Iterable[Notice]) -> list[Notice]:
    return [each._replace(says=spoken(each.says, lang)) for each in notices]


def _diagnosis_in(lang: str, diagnosis: Diagnosis) -> Diagnosis:
    hit = _hit_in(lang, diagnosis.pitfall, diagnosis.hit)
    return diagnosis._replace(hit=hit, why=tuple(spoken(each, lang) for each in diagnosis.why))


def _hit_in(lang: str, name: str, hit: Hit) -> Hit:
    """In a language other than English a hit without a text of its own has the title of the page."""
    if lang == "en":
        return hit
    if not isinstance(hit.says, Message):
        says = _title(name, lang)
    else:
        says = Message(hit.says.id, hit.says.values, spoken(hit.says, lang), hit.says.home)
    evidence = {label(name, key, lang): value for key, value in hit.evidence.items()}
    fix = hit.fix and hit.fix._replace(title=spoken(hit.fix.title, lang))
    return hit._replace(says=says, evidence=evidence, fix=fix)


def _title(name: str, lang: str) -> str:
    from keng import pitfalls  # late, as most read English
    from keng.pitfalls.page import page_of

    return page_of(pitfalls.pitfall(name), lang).title


def label(name: str, key: str, lang: str) -> str:
    """What a value of the evidence is called: by the pitfall, else by the report; its key without either."""
    own = texts_of(name).get(key, {}).get(lang)
    return own or str(texts(lang).get(f"evidence_{key}", key))
