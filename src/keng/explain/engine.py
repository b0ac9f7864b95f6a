"""Engine: a text or a live exception -> ranked diagnoses.

`text` reads what a program printed, `log` what it printed in days; `live` looks at the exception itself.
None raises for what it reads: what goes wrong in here is reported in the note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache as once
from typing import TYPE_CHECKING, BinaryIO

from keng._util.texts import sentence
from keng.explain.diagnose import IN_LIBRARY, Diagnostics, tells_no_cause
from keng.explain.inspecting.answers import Live
from keng.explain.inspecting.facts import facts_of, shapes_in
from keng.explain.matching.patterns import Patterns, patterns_of
from keng.explain.ownership.judge import is_pytorchs, may_be_pytorchs, speaks_of_torch
from keng.explain.ownership.location import elsewhere_of, owner_of
from keng.explain.ownership.paths import is_torch
from keng.explain.reading.cleaning import LONGEST_TEXT, clean
from keng.explain.reading.interleaved_ranks import untangled
from keng.explain.reading.tracebacks import Error, Report, read
from keng.explain.source_evidence import Sources
from keng.model import (
    OF_NO_LIBRARY,
    CatalogError,
    Diagnosis,
    Explanation,
    Message,
    Pitfall,
    Reason,
    Span,
)

if TYPE_CHECKING:
    from keng.explain.reading.dating import Age

__all__ = ["explain_live", "explain_log", "explain_text"]

LINES_AROUND = 60
OF_FILES = frozenset(
    {"FileNotFoundError", "PermissionError", "IsADirectoryError", "NotADirectoryError"}
)
"""Errors of a path, whoever opens it: a file that torch.load() cannot find is no fault of PyTorch's."""
OF_TWO_SHAPES = frozenset({"shapes-do-not-match", "sizes-differ"})
SAYS_MORE_THAN = {
    "operands_coloured": {"colours-for-classes"},
    "operand_maps_scaled": {"target-differs"},
    "operand_broadcast_from_the_end": OF_TWO_SHAPES,
    "operand_broadcast_too_short": OF_TWO_SHAPES,
    "operand_shapes_apart": OF_TWO_SHAPES,
}
"""A sentence about operands -> those of a page which say the same cause, and name them less well."""

CALLS_TORCH = re.compile(r"\b(?:torch|nn|F)\.\w")
OF_PYTORCH = frozenset({"torch", "pytorch", "torchvision", "torchaudio"})
VERSION_OF = re.compile(r"\b([A-Za-z][\w-]{2,40})(?: version)?\s{0,3}(?:==?|:)\s{0,3}\d{1,3}\.\d")
ERROR_WORDS = re.compile(
    r"\b(?:error|exception|fail(?:ed|ure)?|fatal|abort(?:ed)?|killed|assert(?:ion)?|core dumped|"
    r"cannot|can't|invalid|unexpected|expected|must|unable|illegal|undefined|not (?:supported|implemented|"
    r"found|available)|out of (?:memory|range|bounds))\b",
    re.IGNORECASE,
)


def explain_text(
    text: str, pitfalls: Iterable[Pitfall] | None = None, *, source: bool = True
) -> Explanation:
    """Explains what a program printed. With `source`, the files that it names are checked."""
    lines: list[str] = []
    try:
        one_by_one, first = untangled(text[-LONGEST_TEXT:])
        lines = clean(one_by_one)
        explanation = _explained(read(lines), lines, _patterns(pitfalls), source, Live())
        return _of_rank(explanation, first) if first else explanation
    except Exception as error:
        return _failed(lines[-1] if lines else "", error)


def explain_log(
    file: BinaryIO, progress: Callable[[int], None] = lambda done: None
) -> list[tuple[Explanation, int, int]]:
    """Explains each distinct error of a log once: the explanation, the line of its first place and how
    often it comes. Of one cause the first is kept, with the times of all. Raises OSError."""
    from keng.explain.reading.logs import told_in

    found: dict[str, tuple[Explanation, int, int]] = {}
    for told in told_in(file, progress):
        explanation = explain_text(told.text, source=False)
        if explanation.error:
            best = explanation.diagnoses[:1]
            key = best[0].pitfall if best else explanation.error
            first, line, times = found.get(key, (explanation, told.line, 0))
            found[key] = first, line, times + told.times
    return list(found.values())


def explain_live(
    exception: BaseException, pitfalls: Iterable[Pitfall] | None = None
) -> Explanation:
    """Explains an exception that has just been caught, with what its frames still hold."""
    kind = type(exception).__name__
    try:
        from keng.explain.inspecting.exception import look, report_of

        report = report_of(exception)
        lines = [error.line for error in report.errors]
        live = look(exception, report)
        return _explained(report, lines, _patterns(pitfalls), True, live, exception)
    except Exception as error:
        return _failed(kind, error)


def _of_rank(explanation: Explanation, rank: str) -> Explanation:
    why = sentence("rank_failed_first", rank=rank)
    diagnoses = tuple(each._replace(why=(why, *each.why)) for each in explanation.diagnoses)
    return explanation._replace(diagnoses=diagnoses)


def _patterns(pitfalls: Iterable[Pitfall] | None) -> Patterns:
    return _of_all() if pitfalls is None else patterns_of(pitfalls)


@once
def _of_all() -> Patterns:
    from keng.explain.matching import index

    return index.patterns()


def _explained(
    report: Report,
    lines: list[str],
    patterns: Patterns,
    source: bool,
    live: Live,
    raised: BaseException | None = None,
) -> Explanation:
    if not any(line.strip() for line in lines):
        return Explanation(False, False, "", note=sentence("text_empty"))
    unstarted = _unstarted(report) if all(map(tells_no_cause, report.errors)) else None
    return unstarted or _diagnosed(report, patterns, source, live, raised)


def _unstarted(report: Report) -> Explanation | None:
    """Of a program that Python, or a launcher of several processes, did not find."""
    if not any(": can't " in line for line in report.rest):
        return None
    from keng.explain.ownership.python_errors import not_started  # most programs are found

    found = not_started(report.rest)
    if found is None:
        return None
    line, cause = found
    return Explanation(False, False, line, note=cause)


def _diagnosed(
    report: Report,
    patterns: Patterns,
    source: bool,
    live: Live,
    raised: BaseException | None,
) -> Explanation:
    diagnostics = Diagnostics(patterns, report, Sources() if source else None)
    live = live if live.caught else Live(given=diagnostics.given)
    diagnoses = diagnostics.diagnoses(live)
    error = _error_line(diagnostics, report, known=bool(diagnoses))
    place, text = diagnostics.place, diagnostics.text
    specific = _specific(diagnostics, report, live, diagnoses)
    if specific is not None and diagnoses and _comes_before(specific, diagnoses[0], diagnostics):
        best = diagnoses[0]
        sure = min(best.confidence, IN_LIBRARY)  # recorded reports bear out the other sentence
        best = best._replace(confidence=sure, hit=best.hit._replace(says=specific))
        diagnoses = (best, *diagnoses[1:])
    reason = _reason(diagnostics, report, raised, known=bool(diagnoses)) if source else None
    if diagnoses:
        diagnoses = tuple(map(diagnostics.with_names, diagnoses))
        seen = live.caught or (bool(diagnostics.errors) and bool(live.operands))
        there = facts_of(diagnostics.raised, live) if seen else None
        known = Explanation(
            *(True, True, error, place, diagnoses),
            text=text,
            facts=there,
            reason=reason,
            trail=live.trail,
        )
        return _described(known, diagnostics, report, source, raised)
    if not error:
        nothing = Explanation(False, False, "", note=sentence("no_error"))
        return _torn(report) if report.torn else nothing
    unknown = _unknown(diagnostics, report, error, live)._replace(reason=reason)
    if specific is None and not unknown.note:
        specific = _next_step(unknown, diagnostics, report)
    if specific is not None:
        unknown = unknown._replace(note=specific)
    return _described(unknown, diagnostics, report, source, raised)


def _next_step(unknown: Explanation, diagnostics: Diagnostics, report: Report) -> Message | None:
    """What can be tried where no cause is known: what the message or the text around it says, or a newer
    release."""
    if not unknown.may_be_pytorchs:
        errors = diagnostics.errors
        of_library = bool(errors) and owner_of(errors[0], pytorch=False) not in OF_NO_LIBRARY
        return _advised(diagnostics) if of_library else None
    step = _of_storage(diagnostics) or _worked_before(report)
    if step is not None or (unknown.reason is not None and unknown.reason.kind != "absent"):
        return step
    step = _advised(diagnostics) or _of_an_old_torch(diagnostics, report)
    return step or _of_an_old_library(diagnostics, report) or _of_a_limit(diagnostics)


def _comes_before(specific: Message, best: Diagnosis, diagnostics: Diagnostics) -> bool:
    """Whether a sentence about an operand says more than the best pitfall's own: where that is the one of
    its page that holds for any program, or has the same cause without the operands."""
    own = best.hit.says
    if isinstance(own, Message) and own.id in SAYS_MORE_THAN.get(specific.id, ()):
        return True
    return diagnostics.says_nothing_of_the_case(best)


def _of_message(error: Error) -> Message | None:
    """What a message alone tells, without the sources that a traceback needs."""
    from keng.explain.operands.disagreements import disagreement
    from keng.explain.operands.limits import limit_broken

    return disagreement(error, "") or limit_broken(error.flat, "")


def _worked_before(report: Report) -> Message | None:
    """The way back, where the text says with which version it worked."""
    from keng.explain.reading.attempts import fails_from, worked_with  # most errors have a cause

    text = "\n".join(report.rest)
    worked, fails = worked_with(text), fails_from(text)
    if worked is None and fails is not None:
        return sentence("fails_from", library=fails[0], version=fails[1])
    if worked is None:
        return None
    library, version = worked
    needed = f"{library}=={version}{'.*' if version.count('.') == 1 else ''}"
    return sentence("worked_before", library=library, version=version, needed=needed)


def _of_storage(diagnostics: Diagnostics) -> Message | None:
    from keng.explain.ownership.outside_errors import storage_error  # most errors have a cause

    return storage_error(diagnostics.errors[0].flat) if diagnostics.errors else None


def _advised(diagnostics: Diagnostics) -> Message | None:
    from keng.explain.reading.advising import advised  # only errors without a cause need it

    return advised(diagnostics.errors[0].message) if diagnostics.errors else None


def _of_a_limit(diagnostics: Diagnostics) -> Message | None:
    """That a newer release may support what the message says is not supported."""
    from keng.explain.reading.advising import names_a_limit  # most errors have a cause

    error = diagnostics.raised if diagnostics.errors else None
    if error is None or not names_a_limit(error.message):
        return None
    in_program = bool(error.frames) and error.frames[-1].user
    if in_program and not CALLS_TORCH.search(error.frames[-1].text or diagnostics.text):
        return None  # nothing says which library raised
    owner = owner_of(error, pytorch=is_pytorchs(error))
    if owner in OF_NO_LIBRARY - {"torch"}:
        return None
    return sentence("names_a_limit", library=owner.replace("_", "-"))


def _age(error: Error, report: Report) -> Age | None:
    from keng.explain.reading.dating import age_of  # most errors have a cause

    paths = (frame.path for frame in error.frames)
    return age_of("\n".join([*report.rest, *paths, error.message]))


def _of_an_old_torch(diagnostics: Diagnostics, report: Report) -> Message | None:
    """That a newer torch is worth a try, where the text shows one of before 2.0."""
    from keng.explain.reading.dating import OF_VARIABLES  # most errors have a cause

    if not diagnostics.errors:
        return None
    error = diagnostics.raised
    deepest = error.frames[-1].path if error.frames else ""
    by_torch = is_torch(deepest) or error.kind == "RuntimeError"
    if not is_torch(deepest) and _names_a_library_over_torch(report):
        return None  # its own error, or a build of it for another torch
    if not (by_torch and is_pytorchs(error)) and not OF_VARIABLES.search(error.message):
        return None
    age = _age(error, report)
    if age is None or not age.is_before("2.0"):
        return None
    return sentence("raised_by_torch" if age.exact else "raised_by_old_torch", version=age.newest)


def _names_a_library_over_torch(report: Report) -> bool:
    """Whether a text gives the version of a library that is built on PyTorch."""
    from keng.tables.built_on_torch import is_built_on_torch  # most errors have a cause

    said = [*report.rest, *(error.message for error in report.errors)]
    named = VERSION_OF.findall("\n".join(said))
    names = {name.lower().replace("-", "_") for name in named} - OF_PYTORCH
    return any(map(is_built_on_torch, names))


def _of_an_old_library(diagnostics: Diagnostics, report: Report) -> Message | None:
    """That a newer release of the library that raised is worth a try, where the text has its version."""
    from keng.explain.reading.versions import versions_in
    from keng.tables.libraries import newest_if_old

    if not diagnostics.errors:
        return None
    error = diagnostics.raised
    library = owner_of(error, pytorch=False)
    version = versions_in("\n".join([*report.rest, error.message])).get(library, "")
    newest = newest_if_old(library, version) if version else ""
    if not newest:
        return None
    package = library.replace("_", "-")
    return sentence("raised_by_old_library", library=package, version=version, newest=newest)


def _specific(
    diagnostics: Diagnostics, report: Report, live: Live, diagnoses: Sequence[Diagnosis]
) -> Message | None:
    """The cause that the operands of a text tell; a program's memory tells more."""
    if live.caught:
        return None
    error = diagnostics.errors[0] if diagnostics.errors else Error("", "")
    if not error.frames and not any(line.strip() for line in report.rest):
        return _of_message(error)
    from keng.explain.operands.specific import specific_cause  # a live error has its operands

    says = diagnoses[0].hit.says if diagnoses else ""
    known = bool(diagnoses) or diagnostics.knows_the_name
    return specific_cause(error, report.rest, says, known)


def _described(
    explanation: Explanation,
    diagnostics: Diagnostics,
    report: Report,
    source: bool,
    raised: BaseException | None,
) -> Explanation:
    """With what the text and the traceback say of any error: its class, who raised it, where, with what, and
    the lines of the user's that have the values which the answer names."""
    from keng.explain.reading.attempts import attempts_in
    from keng.explain.reading.versions import versions_in

    error = diagnostics.errors[0] if diagnostics.errors else Error("", explanation.error)
    last = error.frames[-1] if error.frames else None
    written_below = error.message.partition("\n\n")[2]  # by the person, not the program
    facts = explanation.facts
    if source and (error.frames or raised is not None):
        from keng.explain.reasons.relevant import written_for  # most messages have no traceback

        explanation = explanation._replace(written=written_for(explanation, raised, error))
    if not (explanation.known or explanation.written) and raised is None:
        from keng.explain.reasons.pasted import pasted_values  # most errors are known

        shown = last.text if last is not None else ""
        own = error.frame.text if error.frame is not None else shown
        explanation = explanation._replace(written=pasted_values(own, error.flat, report.rest))
    return explanation._replace(
        kind=error.kind,
        raised=Span(last.path, last.line) if last is not None else None,
        raised_text=last.text if last is not None else "",
        owner=owner_of(error, explanation.pytorch),
        shapes=facts.tensors if facts is not None and facts.tensors else shapes_in(error.flat),
        versions=versions_in("\n".join(report.rest)),
        tried=attempts_in("\n".join([*report.rest, written_below])),
    )


def _reason(
    diagnostics: Diagnostics, report: Report, raised: BaseException | None, known: bool
) -> Reason | None:
    """Why the likeliest cause was raised, as far as the source at its raise tells. A message without a
    traceback is asked only if no pitfall explains it."""
    error = diagnostics.errors[0] if diagnostics.errors else None
    if error is None or (known and not error.frames and raised is None):
        return None
    from keng.explain.reasons.asked import reason_for  # most messages come without a traceback

    return reason_for(error, report.errors, raised)


def _unknown(diagnostics: Diagnostics, report: Report, line: str, live: Live) -> Explanation:
    """An error of PyTorch's with the facts that can be established; of another's, where it was raised."""
    place, text, failing = diagnostics.place, diagnostics.text, live.failing
    if not diagnostics.errors:
        from keng.explain.ownership.participants import is_of_python  # most texts have an error

        pytorch = speaks_of_torch("\n".join(report.rest))
        facts = facts_of(Error("", line), live) if pytorch else None
        unclear = not pytorch and is_of_python(report.rest)
        return Explanation(False, pytorch, line, place, text=text, facts=facts, unclear=unclear)
    error = diagnostics.raised
    of_a_path = error.kind in OF_FILES
    inside_torch = is_pytorchs(error) or (failing is not None and failing.is_torch)
    if inside_torch and not of_a_path:
        where = failing.place if failing is not None else place
        facts = facts_of(error, live)
        from keng.explain.ownership.participants import raised_in  # most errors are known

        inside = "" if live.caught or facts.raised_by else raised_in(error)
        known = Explanation(False, True, error.line, where, text=text, facts=facts)
        return known._replace(trail=live.trail, raised_in=inside)
    elsewhere = elsewhere_of(diagnostics.errors, live)
    # Most errors are PyTorch's.
    from keng.explain.ownership.outside_errors import unread_image
    from keng.explain.ownership.python_errors import (
        cause_of,
        given_to_the_call,
        is_of_torch,
        passed_along,
    )

    around = report.rest[-LINES_AROUND:]
    pytorch = not of_a_path and may_be_pytorchs(error, "\n".join(around))
    note = unread_image(error, report.rest) or given_to_the_call(error, around)
    note = note or passed_along(error, around) or cause_of(error, around)
    pytorch = pytorch or is_of_torch(note)
    explanation = Explanation(
        False, pytorch, line, place, note=note or "", text=text, elsewhere=elsewhere
    )
    return explanation if live.caught else _with_participants(explanation, diagnostics, report)


def _with_participants(
    explanation: Explanation, diagnostics: Diagnostics, report: Report
) -> Explanation:
    """With who took part in an error of a text; a live exception has its whole traceback."""
    from keng.explain.ownership.participants import is_unclear, raised_in

    error = diagnostics.raised
    unclear = not explanation.pytorch and is_unclear(error, diagnostics.errors, report.rest)
    return explanation._replace(unclear=unclear, raised_in=raised_in(error))


def _torn(report: Report) -> Explanation:
    """A traceback without its last line; a notebook names the kind of the error above it."""
    frames = report.torn
    user = next((frame for frame in reversed(frames) if frame.user), frames[-1])
    place = Span(user.path, user.line)
    note = sentence("traceback_torn")
    if report.torn_kind:
        note = sentence("traceback_torn_of", kind=report.torn_kind)
    return Explanation(False, is_torch(frames[-1].path), "", place, note=note, text=user.text)


def _error_line(diagnostics: Diagnostics, report: Report, known: bool) -> str:
    if diagnostics.errors:
        return diagnostics.errors[0].line
    said = [line.strip() for line in report.rest if line.strip()]
    telling = [line for line in said if ERROR_WORDS.search(line)]
    if telling:
        return telling[-1]
    return said[-1] if known and said else ""


def _failed(error: str, why: Exception) -> Explanation:
    says = str(why) if isinstance(why, CatalogError) else type(why).__name__
    return Explanation(False, True, error, note=sentence("explain_failed", error=says))
