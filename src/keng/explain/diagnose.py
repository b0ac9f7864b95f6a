"""From what was read to ranked diagnoses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from keng._util.texts import sentence
from keng.explain.failure import Failure
from keng.explain.frame import Frame
from keng.explain.inspecting.answers import Live
from keng.explain.matching.patterns import Match, Patterns
from keng.explain.ownership.judge import (
    OF_ANY_OBJECT,
    RAISES,
    asks_in_library,
    fails_in_import,
    is_of_a_library_over_torch,
    is_pytorchs,
    is_strangers,
    says_python,
    speaks_of_torch,
)
from keng.explain.ownership.other_libraries import PYTHONS_WORDS
from keng.explain.ownership.paths import is_torch
from keng.explain.reading.fragments import named, sharing
from keng.explain.reading.tracebacks import CELL, Error, Report
from keng.explain.source_evidence import Sources
from keng.model import (
    CERTAIN,
    MEMORY_AGREES,
    CatalogError,
    Diagnosis,
    Hit,
    Message,
    Pitfall,
    Span,
    rests_on_memory,
)
from keng.pitfalls.roles import roles_around
from keng.pitfalls.texts import naming
from keng.tables.message_evidence import expected
from keng.tables.raise_places import is_new_place, places_of

if TYPE_CHECKING:
    from keng.explain.pasted.given import Given
    from keng.source import Code

LATE = re.compile(
    r"(?:CUDA|cuda runtime|cuDNN|NCCL|HIP) error|CUBLAS_STATUS|CUDNN_STATUS|device-side assert|"
    r"DataLoader worker|exited unexpectedly|Watchdog"
)
"""Errors that tell of something which happened elsewhere: the lines around the traceback say more."""

WRAPPERS = re.compile(
    r"ChildFailedError|ProcessRaisedException|CalledProcessError|SystemExit$|Warning$"
)
"""What tells only that something failed, and what lets the program continue."""

SAYS_ABOVE = re.compile(
    r"See root cause above|EngineCore failed to start|Training completed but no checkpoint was saved|"
    r"^applying transform <"
)
"""What vLLM, YOLO and MONAI say after the lines that tell why."""

OPTIONAL = frozenset({"_is_triton_available"})
"""Functions that try whether something is there, and print the traceback if it is not."""

TELLING = re.compile(
    r"(?:^|\.)(?P<name>Unsupported|InternalTorchDynamoError|LoweringException|InductorError|SubprocException|CompilationError|"
    r"CUDACompileError|BackendCompilerFailed|UnsupportedLanguageConstruct|\w+(?:Output|OutputShape)Exception|UnsupportedOperatorException|"
    r"\w*UnsatisfiableError|KeyError)$"
)
"""Kinds that say what the message alone does not: patterns see them before it."""

ASSERTS_CARDS = re.compile(
    r"\bcuda\.is_available\(|(?:device_count|num_devices)\(|\.is_cuda\b|\.dtype in \[torch\.|"
    r"\bboxes\d\[:, 2:\] >= boxes\d\["
)
"""What a program asserts of the machine's cards, what a kernel of theirs takes, or DETR's matcher, mostly
without a word."""

OF_OPERATORS = frozenset({"RuntimeError", "ValueError", "TypeError", "IndexError"})
OPERATOR = re.compile(r"`(?:torch|F|(?:torch\.)?nn\.functional)\.(\w+)(?=[(`])")
WITHIN = {"linear": ("mm", "addmm", "matmul"), "bilinear": ("mm", "bmm")}
"""An operator -> those that it calls, whose messages it passes on."""
CALLED = re.compile(r"(\w+)\(")
FACT = re.compile(r"\. (?=[A-Z`])")
"""Where a sentence goes over to its advice."""

KIND = re.compile(r"\b(integer|complex|boolean) tensors?\b", re.IGNORECASE)
OF_KIND = {
    "integer": ("int", "uint", "long", "short"),
    "complex": ("complex", "cfloat", "cdouble"),
    "boolean": ("bool", "uint8"),
}
DTYPES = re.compile(
    r"\btorch\.(complex\d+|c?float\d*|c?double|half|bfloat16|u?int\d+|long|short|bool)\b"
)

FOR_CUDA = re.compile(
    r"\b(?:the|a) (?:build|wheel|version) (?:for|of|with) CUDA\b|\bCUDA build\b|/whl/cu"
)
OF_A_MAC = re.compile(r"^/Users/\w|\bmacOS\b|\bDarwin\b|device=['\"]?mps\b|: \[MPS,")

OF_INSTALLS = frozenset({"env", "version"})
"""The groups of pitfalls that are about what is installed."""
MOST_PLACES = 8
SAYS_NOTHING = frozenset({"KeyError", "EOFError", "StopIteration", "ZeroDivisionError"})
"""Kinds of errors whose message is a key, or the same in every program."""

QUOTED_CODE, NAME = re.compile(r"`([^`]+)`"), re.compile(r"(?<![.\w])[A-Za-z_]\w*")
MODULES = frozenset({"torch", "nn", "F", "np"})
QUOTED_NAME = re.compile(r"'\w+'")
LONGEST_REST = 500_000
LONGEST_AROUND = 4_000
LONGEST_PASTED = 20_000
LINES_OF_CODE = 2_000

IN_LIBRARY = 0.85
MESSAGE_ALONE, PROMISED = 0.89, 0.95
ONLY_WORDS = frozenset({"grounds_message", "grounds_one_of_several", "grounds_in_library"})
"""The evidence of a diagnosis that neither memory nor a source file bears out."""

A_PIECE = 0.5
"""How sure a message is of which only a piece is there."""
LIKELY = 0.6


class Diagnostics:
    def __init__(self, patterns: Patterns, report: Report, sources: Sources | None) -> None:
        self._patterns = patterns
        self._report = report
        self._sources = sources
        self._declined: set[str] = set()
        self._told: dict[str, tuple[Match, Error]] = {}
        self.errors = by_likely_cause(report.errors)
        told = [e for e in self.errors[1:] if not e.kind.endswith("Warning")]
        placed = (error for error in (*self.errors[:1], *told) if error.frame)
        at = next(placed, None)
        self._frame = at.frame if at else None
        self.place = at.place if at else None
        self.text = self._frame.text if self._frame else self._code_above(failing=True)

    def _code_above(self, failing: bool = False) -> str:
        """The last line of code above an error whose traceback is missing or, as of a prompt, shows no code;
        only if it is most likely the one that failed, for `failing`."""
        if any(frame.text for error in self.errors for frame in error.frames):
            return ""
        from keng.explain.reading import code_above  # most errors have a traceback

        line_above = code_above.failing_line_above if failing else code_above.line_above
        return line_above(self._report.rest, self.errors[0].line if self.errors else "")

    @property
    def raised(self) -> Error:
        """The likeliest cause; where that came up wholly inside torch, what torch has raised from it."""
        for error in self.errors:
            if not error.frames or not all(is_torch(frame.path) for frame in error.frames):
                return error
        return self.errors[0]

    def diagnoses(self, live: Live) -> tuple[Diagnosis, ...]:
        """The best of each pitfall, likeliest first."""
        best: dict[str, Diagnosis] = {}
        tried: set[tuple[str, str]] = set()  # an error may be printed a hundred thousand times
        first = self.errors[:1]
        for rank, error in enumerate(self._pieces()):
            text = _shown(error)
            told = text, error.frames[-1].text if error.frames else ""
            if told in tried or is_strangers(error, self.errors):
                continue
            tried.add(told)
            for match in self._matches(error, text):
                alive = live if rank == 0 or error in first else Live()
                named = list(self._diagnoses(match, error, alive))
                fitting = [each for each in named if not self._contradicts(each.hit.says, error)]
                if fails_in_import(error) and match.pitfall.group not in OF_INSTALLS:
                    fitting = []
                if not alive.caught and raised_elsewhere(error, match.pitfall.name):
                    blind = self._said_anywhere(match, error) | _said_where_known(match, error)
                    fitting = [each for each in fitting if each.hit.says not in blind]
                if not fitting and (named or error.frames or not error.kind):
                    self._declined.add(match.pitfall.name)
                named = fitting
                for each in named:
                    known = best.get(each.pitfall)
                    if known is None or known.confidence < each.confidence:
                        best[each.pitfall] = each
                        self._told[each.pitfall] = match, error
            if best:
                break
        found = self._ranked(list(best.values()))
        if first and asks_in_library(first[0]):
            found = tuple(map(_less_sure, found))
        return tuple(map(self._verified, map(_calibrated, found))) or self._of_a_piece()

    def _verified(self, diagnosis: Diagnosis) -> Diagnosis:
        """What rests on the message alone is certain only if as many reports have borne it out as the word
        promises."""
        words = {each.id for each in diagnosis.why if isinstance(each, Message)} <= ONLY_WORDS
        if not words or not CERTAIN <= diagnosis.confidence < PROMISED:
            return diagnosis
        if self._names_of_the_line(diagnosis) or not self.says_nothing_of_the_case(diagnosis):
            return diagnosis
        return diagnosis._replace(confidence=MESSAGE_ALONE)

    def _names_of_the_line(self, diagnosis: Diagnosis) -> set[str]:
        """What a sentence calls by the names that the user's failing line has, also where these are `x`."""
        said = " ".join(QUOTED_CODE.findall(diagnosis.hit.says))
        failed = self._frame.text if self._frame else ""  # a pasted line is no proof that it failed
        return {*NAME.findall(said)} & {*NAME.findall(failed)} - MODULES

    @property
    def knows_the_name(self) -> bool:
        """Whether a pitfall that has kept silent is about the very name in the message, not about any."""
        if not self._declined or not self.errors:
            return False
        of_another = QUOTED_NAME.sub("'another_name'", _shown(self.errors[0]))
        return not self._declined <= {m.pitfall.name for m in self._patterns.matches(of_another)}

    def says_nothing_of_the_case(self, diagnosis: Diagnosis) -> bool:
        """Whether a pitfall says of this error what it says of its message alone, wherever that comes."""
        if diagnosis.pitfall not in self._told:
            return True  # a piece of a message has only the title of its page
        match, error = self._told[diagnosis.pitfall]
        return diagnosis.hit.says in self._said_anywhere(match, error)

    def _contradicts(self, says: str, error: Error) -> bool:
        text = self._context
        another = is_about_another(says, error) or is_of_another_dtype(says, text)
        return another or is_for_another_machine(says, error, text)

    def _said_anywhere(self, match: Match, error: Error) -> set[str]:
        """What a pitfall says of the message alone, wherever that comes."""
        alone = Failure(error.kind, self._line_of(match, error), match.groups)
        anywhere = alone._replace(frames=(Frame("", 0, "", "", user=True),))
        return {hit.says for failure in (alone, anywhere) for hit in _hits(match, failure)}

    def with_names(self, diagnosis: Diagnosis) -> Diagnosis:
        """The diagnosis with the names on the line that failed, where that is the user's own or calls
        torch itself, and in the code around it."""
        _, error = self._told.get(diagnosis.pitfall, (None, None))
        line = _own_line(error) if error is not None else ""
        line = line or self._code_above()
        says = naming(diagnosis.hit.says, line, self._roles_around)
        return diagnosis._replace(hit=diagnosis.hit._replace(says=says))

    def _roles_around(self) -> Mapping[str, object]:
        """What the user's file calls its loss, model and the like, or the code that was pasted."""
        code = self._sources.code(self._frame) if self._sources is not None else None
        if code is not None and self._frame is not None:
            return roles_around(code.text, self._frame.line)
        pasted = self._pasted_code()
        return roles_around(pasted.text, 0) if pasted is not None else {}

    def _line_of(self, match: Match, error: Error) -> str:
        """The message itself, without what a person wrote below it."""
        for line in error.message.splitlines():
            if any(each.pitfall is match.pitfall for each in self._patterns.matches(line)):
                return line
        return error.message

    def _ranked(self, found: list[Diagnosis]) -> tuple[Diagnosis, ...]:
        """Likeliest first; what lets a program continue comes after a likely cause of its end."""
        found.sort(key=lambda each: -each.confidence)
        passing = [d for d in found if self._patterns.unit(d.pitfall).severity == "hint"]
        rest = [each for each in found if each not in passing]
        ended = bool(self.errors) and not self.errors[0].kind.endswith("Warning")
        likely = ended and bool(rest) and rest[0].confidence >= LIKELY
        return tuple([*rest, *passing] if likely else found)

    def _of_a_piece(self) -> tuple[Diagnosis, ...]:
        """Of a text that is only a piece of a message, and not another library's."""
        first = self.errors[0] if self.errors else None
        if first is not None and is_strangers(first, self.errors):
            return ()
        if first is not None and not (is_pytorchs(first) or is_of_a_library_over_torch(first)):
            return ()
        found = named(self._report, self._patterns.messages)
        plain = first is not None and PYTHONS_WORDS.search(first.message)
        if (
            not found
            and not plain
            and (self.errors or speaks_of_torch("\n".join(self._report.rest)))
        ):
            found = sharing(self._report, self._patterns.messages)
        # What has read the whole message, and its frames, and kept silent, is not named for a piece of it.
        units = [self._patterns.unit(name) for name in found if name not in self._declined]
        if first is not None and not first.kind.endswith("Warning"):
            units = [unit for unit in units if unit.severity != "hint"]  # it ended no program
        hits = [(unit, Hit(unit.headline, self.place, sure=False)) for unit in units]
        why = (sentence("grounds_piece"),)
        return tuple(Diagnosis(unit.name, A_PIECE / len(hits), hit, why) for unit, hit in hits)

    def _pieces(self) -> Iterator[Error]:
        """What patterns are shown, likeliest first: the errors, and the lines around them where no
        error is there or where it reports what happened elsewhere."""
        around = Error("", "\n".join(self._report.rest)[-LONGEST_REST:])
        first = self.errors[0] if self.errors else around
        if self.errors and (LATE.search(first.message) or tells_no_cause(first)):
            around.frames = first.frames
            yield around
        # What only carries over an error that has been read has nothing to add to it, and what lets the
        # program go on is not why it ended.
        ended = [e for e in self.errors if not tells_no_cause(e) or asserts_elsewhere(e)]
        ended = ended or self.errors
        yield from (e for n, e in enumerate(ended) if n == 0 or e.link != "worker")
        if not self.errors:
            yield around

    def _matches(self, error: Error, text: str) -> list[Match]:
        """A terminal breaks long lines between words or in the middle of one."""
        found = list(self._patterns.matches(text))
        joined = error.unwrapped
        if not found and "\n" in error.message:
            joined = joined or "".join(line.strip() for line in error.message.splitlines())
        head = text.removesuffix(error.flat) if error.flat else ""
        other = list(self._patterns.matches(" ".join(f"{head}{joined}".split()))) if joined else []
        return other if len(other) >= len(found) else found

    def _diagnoses(self, match: Match, error: Error, live: Live) -> Iterator[Diagnosis]:
        place = error.place or self.place
        user = error.frame or self._frame
        code = self._sources.code(user) if self._sources is not None else None
        traced = any(frame.function or frame.path != CELL for frame in error.frames)
        around, frames = "" if traced else self._context, tuple(error.frames)
        failure = Failure(
            *(error.kind, error.message, match.groups, frames, place, live, code, around),
            *(self._pasted_code, self._context),
        )
        found = self._in_source(match.pitfall)
        unseen = {hit.says for hit in _hits(match, failure._replace(live=Live()))}
        sure = bool(error.frames) or not says_python(error)
        for hit in _hits(match, failure):
            hit = hit if sure else hit._replace(sure=False)
            seen = live.caught and hit.says not in unseen
            yield _diagnosis(match, hit, found, place, seen)

    @cached_property
    def _context(self) -> str:
        """The lines around the errors, and warnings, which do not end a program."""
        warned = [e.line for e in self._report.errors if e.kind.endswith("Warning")]
        return "\n".join([*self._report.rest, *warned])[-LONGEST_AROUND:]

    def _pasted_code(self) -> Code | None:
        from keng.source.pasted import code_in

        below = self.errors[0].message.partition("\n")[2] if self.errors else ""
        texts = (
            "\n".join(self._report.rest),
            below,
        )  # what is pasted below an error is read as part of it
        found = (code_in(text[-LONGEST_PASTED:]) for text in texts if text)
        return next((code for code in found if code is not None), None)

    def given(self) -> Given:
        """The operands that the pasted code gives the expression that raised."""
        from keng.explain.pasted.given import (
            NOTHING,
            given_in,
            may_tell,
        )  # most errors have a traceback

        error = self.errors[0] if self.errors else None
        around = "\n".join([*self._report.rest[-LINES_OF_CODE:], error.message if error else ""])
        if error is None or not may_tell(around, error.frames):
            return NOTHING
        code = self._pasted_code()
        return given_in(code, error.flat, error.frames) if code is not None else NOTHING

    def _in_source(self, pitfall: Pitfall) -> Hit | None:
        if self._sources is None:
            return None
        return self._sources.hit(pitfall, [f for error in self.errors for f in error.frames])


def _shown(error: Error) -> str:
    """What the patterns are shown of an error."""
    text = error.flat or error.kind
    if text == "KeyboardInterrupt" and error.frames:
        return error.frames[-1].text  # what was waited for
    if text == "AssertionError" and error.frames:
        asserted = error.frames[-1].text
        if not error.frames[-1].user or ASSERTS_CARDS.search(asserted):
            return asserted
    if error.frames and error.frames[-1].text == f"raise {error.kind}":
        return error.kind  # what is below is the writer's
    if error.kind == "KeyError" and text.isdigit():
        return f"KeyError: {text}"  # a number alone holds no word to know it by
    if error.kind == "AttributeError" and text.isidentifier():
        return f"AttributeError: {text}"  # nor does a name
    telling = TELLING.search(error.kind)
    return f"{telling['name']}: {text}" if telling else text


def _own_line(error: Error) -> str:
    """The last line of the user's, if only torch is below it."""
    below = list(takewhile(lambda frame: not frame.user, reversed(error.frames)))
    own = error.frames[: len(error.frames) - len(below)]
    return own[-1].text if own and all(is_torch(frame.path) for frame in below) else ""


def by_likely_cause(errors: list[Error]) -> list[Error]:
    """Before an error comes the one that it was raised from, after it the one it came up in the
    handling of, or the one that carried it over from a worker process. Of several separate ones the
    last comes first; launchers, which only tell that something failed, and warnings come after, and
    what Python has ignored last."""
    chains: list[list[Error]] = []
    before: Error | None = None
    for error in errors:
        if before is None or not before.link:
            chains.append([error])
        elif before.link == "cause":
            chains[-1].append(error)
        else:
            chains[-1].insert(0, error)
        before = error
    ordered = [error for chain in reversed(chains) for error in chain]
    return sorted(ordered, key=lambda error: (tells_no_cause(error), error.aside))


def tells_no_cause(error: Error) -> bool:
    """Whether it was reported in passing, or only tells that something failed: a program's own assert without
    words, and what carries over a worker's error, too."""
    wordless = error.kind == "AssertionError" and not error.message
    carries = error.link == "worker"
    optional = any(frame.function in OPTIONAL for frame in error.frames)
    above = SAYS_ABOVE.search(error.message) is not None
    return (
        error.aside
        or wordless
        or carries
        or optional
        or above
        or WRAPPERS.search(error.kind) is not None
    )


def _calibrated(diagnosis: Diagnosis) -> Diagnosis:
    """What only the wording tells is as sure as reports have shown that message to be. The order stays."""
    ids = {each.id for each in diagnosis.why if isinstance(each, Message)}
    if not ids <= ONLY_WORDS:
        return diagnosis
    id = diagnosis.hit.says.id if isinstance(diagnosis.hit.says, Message) else ""
    confidence = min(diagnosis.confidence, round(expected(diagnosis.pitfall, id), 2))
    return diagnosis._replace(confidence=confidence)


def _less_sure(diagnosis: Diagnosis) -> Diagnosis:
    """What cannot be certain, as the expression that failed is a library's; what memory shows can."""
    if diagnosis.confidence < CERTAIN or rests_on_memory(diagnosis):
        return diagnosis
    return diagnosis._replace(confidence=IN_LIBRARY, why=(sentence("grounds_in_library"),))


def is_about_another(says: str, error: Error) -> bool:
    """Whether the fact in a sentence is about an operator that the user's line that raised does not call."""
    last = error.frames[-1] if error.frames else None
    if last is None or not last.user or error.kind not in OF_OPERATORS:
        return False
    told = set(OPERATOR.findall(FACT.split(says, maxsplit=1)[0]))
    if not told:
        return False
    from keng.tables.operators import forms_of  # few sentences name an operator

    calls = CALLED.findall(last.text)
    if not all(map(forms_of, calls)):
        return False  # what it calls may call that operator
    shown = f"{last.text} {error.message}"
    told = {name for name in told if forms_of(name)} - {
        name for call in calls for name in WITHIN.get(call, ())
    }
    return bool(told and calls) and not any(re.search(rf"\b{name}\b", shown) for name in told)


def is_of_another_dtype(says: str, around: str) -> bool:
    """Whether the fact in a sentence is about tensors of a kind, and the text around the error names only
    dtypes of other kinds."""
    found = KIND.search(FACT.split(says, maxsplit=1)[0])
    dtypes = DTYPES.findall(around) if found is not None else []
    if found is None or not dtypes:
        return False
    return not any(dtype.startswith(OF_KIND[found[1].lower()]) for dtype in dtypes)


def is_for_another_machine(says: str, error: Error, around: str) -> bool:
    """Whether a sentence asks for a build with CUDA, and the text is of a Mac, which has none."""
    if FOR_CUDA.search(says) is None:
        return False
    paths = (frame.path for frame in error.frames)
    return any(map(OF_A_MAC.search, (around, error.message, *paths)))


def _said_where_known(match: Match, error: Error) -> set[str]:
    """What a pitfall says of the same traceback if its last line is in a file where reports of it end: who
    says the same there has not asked for the place."""
    *before, last = error.frames
    moved = (
        last._replace(path=f"/site-packages/{place if '/' in place else f'{place}/a.py'}", text="")
        for place in sorted(places_of(match.pitfall.name))[:MOST_PLACES]
    )
    failures = (Failure(error.kind, error.message, match.groups, (*before, each)) for each in moved)
    return {hit.says for failure in failures for hit in _hits(match, failure)}


def raised_elsewhere(error: Error, pitfall: str) -> bool:
    """Whether words that Python says to any program came from a library's file from which no report of the
    pitfall ever had them."""
    last = error.frames[-1] if error.frames else None
    if (
        last is None
        or last.user
        or not (error.kind in SAYS_NOTHING or OF_ANY_OBJECT.search(error.message))
    ):
        return False
    return not last.text.startswith(RAISES) and is_new_place(pitfall, last.path)


def asserts_elsewhere(error: Error) -> bool:
    """Whether a library asserts something without a word: its line of code tells what."""
    wordless = error.kind == "AssertionError" and not error.message and not error.aside
    return wordless and bool(error.frames) and not error.frames[-1].user


def _hits(match: Match, failure: Failure) -> Iterator[Hit]:
    if match.explainer.function is None:
        yield failure.hit(match.pitfall.headline)
        return
    try:
        yield from list(match.explainer.function(failure))
    except CatalogError:  # an explain.py that cannot be imported
        raise
    except Exception:
        # A facet that meets what its author did not think of: the page's own words still hold.
        yield failure.hit(match.pitfall.headline, sure=False)


def _diagnosis(
    match: Match, hit: Hit, found: Hit | None, place: Span | None, seen: bool
) -> Diagnosis:
    """`found` is what source analysis finds; at the place of the error it tells no other place than that."""
    odds = match.explainer.odds * (1 if hit.sure else 0.6)
    why = [sentence("grounds_message" if odds >= 0.6 else "grounds_one_of_several")]
    if seen and hit.sure:
        odds = 1 - (1 - odds) * 0.5
        why.append(sentence(MEMORY_AGREES))
    if found is not None:
        odds = 1 - (1 - odds) * (0.2 if found.sure else 0.6)
        says = hit.says if hit.sure and match.explainer.function else found.says
        why.append(_seen_in_source(found, found.says != says))
        evidence = {**found.evidence, **hit.evidence}
        elsewhere = hit.where is not None and hit.where != place
        where = hit.where if elsewhere and _is_line_of(found.where, place) else found.where
        hit = Hit(says, where, evidence, hit.fix or found.fix, found.sure)
    return Diagnosis(match.pitfall.name, round(odds, 2), hit, tuple(why))


def _is_line_of(where: Span | None, place: Span | None) -> bool:
    if where is None or place is None:
        return False
    return (Path(where.path).name, where.line) == (Path(place.path).name, place.line)


def _seen_in_source(found: Hit, names_it: bool) -> Message:
    where = found.where
    place = f"{Path(where.path).name}:{where.line}" if where is not None else ""
    if names_it:
        id = "grounds_source_at" if place else "grounds_source"
        return sentence(id, place=place, says=found.says)
    return sentence("grounds_source_agrees_at" if place else "grounds_source_agrees", place=place)
