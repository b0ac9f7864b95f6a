"""What the units say, in the language of the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from keng._util.cache import load_own
from keng.model import Diagnosis, Explanation, Finding, Hit, Message, Skipped
from keng.pitfalls.texts import filled, has_text

SENTENCES = str(Path(__file__).with_name("sentences.toml"))
HOLE = re.compile(r"\{([a-z_]+)\}")
SPACED_HOLE = re.compile(rf"( ?){HOLE.pattern}( ?)")
WIDE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
"""What stands next to its like without a space: Chinese, and its punctuation."""


BETWEEN_WIDE = re.compile(rf"(?<={WIDE.pattern}) (?={WIDE.pattern})")


class Sentence(NamedTuple):
    """One with holes: `{loss}` stands for whatever the unit says there."""

    pattern: re.Pattern[str]
    other: str


class Tongue(NamedTuple):
    """What the page of a unit calls it, and its sentences with those that units share, the most
    particular first."""

    title: str
    sentences: tuple[Sentence, ...]


def findings_in(lang: str, findings: Iterable[Finding]) -> list[Finding]:
    return [finding_in(lang, finding) for finding in findings]


def finding_in(lang: str, finding: Finding) -> Finding:
    return finding._replace(hit=_hit_in(lang, finding.pitfall, finding.hit))


def explanation_in(lang: str, explanation: Explanation) -> Explanation:
    told = (_diagnosis_in(lang, diagnosis) for diagnosis in explanation.diagnoses)
    note = said_in(lang, "", explanation.note)
    return explanation._replace(diagnoses=tuple(told), note=note)


def _diagnosis_in(lang: str, diagnosis: Diagnosis) -> Diagnosis:
    name = diagnosis.pitfall
    why = tuple(said_in(lang, name, each) for each in diagnosis.why)
    return diagnosis._replace(hit=_hit_in(lang, name, diagnosis.hit), why=why)


def _hit_in(lang: str, name: str, hit: Hit) -> Hit:
    """What is not translated follows what the page calls the pitfall."""
    if lang == "en":
        return hit
    says = message_in(lang, name, hit.says)
    if says == hit.says:
        says = f"{_tongue(lang, name).title}（{says}）"
    evidence = {said_in(lang, name, key): value for key, value in hit.evidence.items()}
    fix = hit.fix._replace(title=message_in(lang, name, hit.fix.title)) if hit.fix else None
    return hit._replace(says=says, evidence=evidence, fix=fix)


def message_in(lang: str, name: str, says: str) -> str:
    """The text of its id; by its English form what an engine says."""
    if not isinstance(says, Message) or not has_text(name, says.id, lang):
        return said_in(lang, name, says)
    return BETWEEN_WIDE.sub("", filled(name, says, lang, partial(said_in, lang, "")))


def skipped_in(lang: str, skipped: Iterable[Skipped]) -> list[Skipped]:
    return [each._replace(why=said_in(lang, "", each.why)) for each in skipped]


def wrong_in(lang: str, says: str) -> str:
    """What is wrong with a command line, below the name of the command or of a file."""
    if lang == "en":
        return says
    parts = says.split(": ")
    for n in reversed(range(len(parts))):
        rest = ": ".join(parts[n:])
        if (said := said_in(lang, "", rest)) != rest:
            return ": ".join([*parts[:n], said])
    return says


def said_in(lang: str, name: str, text: str) -> str:
    """A sentence of the unit `name`; as it is where its page has no translation of it."""
    return text if lang == "en" else _translated(text, _tongue(lang, name).sentences)


def _translated(text: str, sentences: tuple[Sentence, ...]) -> str:
    for sentence in sentences:
        if (met := sentence.pattern.fullmatch(text)) is not None:
            return _filled(sentence.other, met, sentences)
    return text


def _filled(text: str, met: re.Match[str], sentences: tuple[Sentence, ...]) -> str:
    """What fills a hole may be a sentence of its own, but not in backticks: code stays as it is."""

    def fill(hole: re.Match[str]) -> str:
        before, name, after = hole.groups()
        code = text.count("`", 0, hole.start()) % 2
        says = met[name] if code else _translated(met[name], sentences)
        left, right = text[: hole.start()], text[hole.end() :]
        return _space(left, before, says) + says + _space(says, after, right)

    return SPACED_HOLE.sub(fill, text)


def _space(left: str, space: str, right: str) -> str:
    return "" if WIDE.match(left[-1:]) and WIDE.match(right) else space


@cache
def _tongue(lang: str, name: str) -> Tongue:
    """That of a unit; without a name that of the engines."""
    from keng import pitfalls  # late, as most read English
    from keng.pitfalls.page import page_of

    said, title = _shared(), ""
    if name:
        unit = pitfalls.pitfall(name)
        title = page_of(unit, lang).title
        said |= {unit.headline: title, **_own(name)}
    first = sorted(said, key=lambda text: -len(HOLE.sub("", text)))
    return Tongue(title, tuple(Sentence(pattern_of(text), said[text]) for text in first))


def _shared() -> dict[str, str]:
    """Sentences of the engines and of several pitfalls, in English and Chinese."""
    return {each["en"]: each["zh"] for each in load_own(SENTENCES)["sentence"]}


def _own(name: str) -> dict[str, str]:
    """The sentences of one pitfall."""
    from keng.pitfalls.index import index

    texts = index().details(name)["texts"].values()
    return {_plain(each["en"]): _plain(each["zh"]) for each in texts if "zh" in each}


def _plain(text: str) -> str:
    """A template without holes as it is printed."""
    return text.replace("{{", "{").replace("}}", "}")


def pattern_of(text: str) -> re.Pattern[str]:
    """`{total} keeps {total}` as `(?P<total>.*?) keeps (?P=total)`."""
    written, seen = "", set[str]()
    for n, part in enumerate(HOLE.split(text)):
        hole = f"(?P={part})" if part in seen else f"(?P<{part}>.*?)"
        written += hole if n % 2 else re.escape(part)
        seen |= {part} if n % 2 else set()
    return re.compile(written, re.DOTALL)
