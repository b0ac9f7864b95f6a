"""The nouns of the house. Standard library only; every room may import it.

A unit of the catalogue says `Hit`, an engine says `Finding`: units know nothing of folding, counting
and severity overrides. Silence never stands for "not looked": that is `Blind`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, overload

Severity = Literal["error", "warning", "hint"]
"""error: the program computes something else than meant, or will break. warning: it most likely
does, or wastes much. hint: there is a better way."""

Origin = Literal["source", "run", "message", "file", "machine", "ranks"]
"""The engine that made a finding."""

Safety = Literal["safe", "unsafe", "shown"]
"""safe: the meaning is kept. unsafe: the meaning may change. shown: never applied."""

Value = int | float | str | bool
Evidence = Mapping[str, Value]
NOTHING: Evidence = {}


class CatalogError(Exception):
    """A unit that cannot be loaded or is put together wrongly; the text begins `file:line:`."""


class Span(NamedTuple):
    """A place in a file. Lines and columns count from 1; columns count characters; the end is
    exclusive. Where only a line is known (a traceback, a running frame) the rest is None."""

    path: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class Edit(NamedTuple):
    """Text to put in place of `start:end`, offsets in bytes of the UTF-8 source."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """Texts to put in place of others. On the machine the title is a command instead, and `removes`
    holds the files that `keng env --fix` may remove, as nobody can miss them."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = "unsafe"
    removes: tuple[str, ...] = ()

    def applied_to(self, data: bytes) -> bytes:
        """The UTF-8 of a source with the edits made, from the end backwards."""
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end), reverse=True):
            data = data[: edit.start] + edit.text.encode() + data[edit.end :]
        return data


class Hit(NamedTuple):
    """What one facet of a unit saw. `sure` is a claim about evidence, not about severity."""

    says: str
    where: Span | None = None
    evidence: Evidence = NOTHING
    fix: Fix | None = None
    sure: bool = True


Hits = Iterator[Hit]


class Finding(NamedTuple):
    """A hit that an engine stands for. `first` tells when it was first seen ("step 3"), `times` how
    often, `ranks` which processes of several saw it; all are of use only where a program runs."""

    pitfall: str
    group: str
    severity: Severity
    hit: Hit
    origin: Origin
    first: str = ""
    times: int = 1
    ranks: tuple[int, ...] = ()


class Blind(NamedTuple):
    """What could not be looked at, and why."""

    path: str
    why: str


class Note(NamedTuple):
    """What is worth saying beside the findings: a warning that makes nothing fail."""

    says: str
    where: Span


MEMORY_AGREES = "what was in memory agrees"
"""Evidence of a diagnosis that only the live exception has told so."""


class Diagnosis(NamedTuple):
    """One cause that an error may have. `confidence` is between 0 and 1; `why` holds the evidence
    in short sentences."""

    pitfall: str
    confidence: float
    hit: Hit
    why: tuple[str, ...] = ()


class Facts(NamedTuple):
    """What can be established of an error whose cause is not known. `raised_by` is the function that
    refused, as the user or torch names it, and `takes` torch's word on how it is called; `layer` the
    module whose forward it is (`net.fc`); `tensors` what went in, each by its name, shape, dtype and
    device, `alike` what all of these share, and `apart` what they differ in, by the name of that
    ("dtype"). `named` are the shapes, dtypes and devices of the message, where no tensor is at hand;
    `caught` tells whether the program's memory could be looked at."""

    raised_by: str = ""
    takes: str = ""
    layer: str = ""
    tensors: tuple[str, ...] = ()
    alike: str = ""
    apart: Mapping[str, str] = {}
    named: tuple[str, ...] = ()
    caught: bool = False


class Elsewhere(NamedTuple):
    """Where an error that is none of PyTorch's came up. `owner` raised it ("Python", "pandas"), empty
    where that is not known; `function` is the user's. `worker` is the number of a DataLoader's worker,
    `batch` and `samples` what was fetched ("16-23"), `forward` the module in whose forward it was; `last`
    tells whether the user's line is the last of the traceback, and `own` whether the program raised it
    itself."""

    kind: str
    owner: str = ""
    function: str = ""
    worker: str = ""
    batch: int = 0
    samples: str = ""
    forward: str = ""
    last: bool = False
    own: bool = False


Bound = Literal[
    "one_of",
    "none_of",
    "equal",
    "other",
    "below",
    "at_most",
    "above",
    "at_least",
    "multiple",
    "a",
    "not_a",
    "with",
    "without",
    "given",
    "not_empty",
    "true",
]


class Condition(NamedTuple):
    """A condition under which an exception is raised, as the source has it, and whether it was true."""

    text: str
    holds: bool = True


class Traced(NamedTuple):
    """A name in a condition: its value in words, "" if unknown, and what the user wrote for it. `how` is
    argument, derived (computed from one), default (not given), assigned, set (in a constructor call) or
    alike (only probable); "" if that was not found."""

    name: str
    value: str = ""
    text: str = ""
    where: Span | None = None
    how: str = ""
    parameter: str = ""


class Accepted(NamedTuple):
    """What would have been accepted for `what`: the kind of limit, the limit, values near the one given."""

    bound: Bound
    what: str
    limit: str = ""
    near: tuple[str, ...] = ()


class Documented(NamedTuple):
    """A sentence of a library's documentation about a parameter of the function that the user called."""

    parameter: str
    function: str
    sentence: str


class Reason(NamedTuple):
    """Why an exception was raised. `kind` tells how `conditions` are to be read: guard (all hold), ladder
    (none of them holds), match, search, always; of Python's own exceptions division, key, index, none,
    attribute, unpack, missing, surplus, keyword; stated (the message has the limit), absent (the source is
    not available). `about` is the expression or name that it is about, `outer` the condition under which
    the check is made at all. `sure` tells whether the values found agree with the conditions, and `live`
    whether they are those of the running program."""

    kind: str
    raised_by: str
    where: Span
    conditions: tuple[Condition, ...] = ()
    outer: Condition | None = None
    about: str = ""
    values: tuple[Traced, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    documented: Documented | None = None
    sure: bool = False
    live: bool = False


class Explanation(NamedTuple):
    """What is known of one error: `known` where a diagnosis stands, `pytorch` where the error is
    PyTorch's at all. `error` is its last line as read, `place` the line of the user's code, `text` that
    line as the traceback has it, `facts` what can be said of it where it is PyTorch's and not known,
    `elsewhere` where it is another's, and `reason` why it was raised, as far as the source tells."""

    known: bool
    pytorch: bool
    error: str
    place: Span | None = None
    diagnoses: tuple[Diagnosis, ...] = ()
    note: str = ""
    text: str = ""
    facts: Facts | None = None
    elsewhere: Elsewhere | None = None
    reason: Reason | None = None


class Finder(NamedTuple):
    """Reads one source file (`keng.source.Code`). `fixes` is a promise that the battery holds it to."""

    function: Callable[[Any], Hits]
    fixes: bool


class Watcher(NamedTuple):
    """Sees one kind of moment (`keng.run.moments`) of a running program. `needs` names what this takes and
    the unit's other facets do not ("cuda")."""

    moment: str
    function: Callable[[Any], Hits]
    needs: str = ""


class Explainer(NamedTuple):
    """Recognises an error message by a regular expression; `function` is None where the page's own words
    are enough. `odds` tells how often such a message has this cause, where nothing more is known."""

    text: str
    function: Callable[[Any], Hits] | None
    odds: float

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled, and kept by `re`, where errors are explained: no other command has a use for it."""
        return re.compile(self.text)


class Inspector(NamedTuple):
    """Sees the checkpoints (`keng.stored`) whose property `fact` is not empty; none of its hits is sure
    where it is not."""

    fact: str
    function: Callable[[Any], Hits]
    sure: bool


Facet = Callable[[Any], Hits]


class Pitfall:
    """A unit of the catalogue: `pitfall = Pitfall(__name__, __doc__, severity="error")`.

    `needs` names what its programs need and a machine may lack ("cuda"); they are executed where it is
    libraries ("import peft, transformers") and all can be imported.
    The facets are registered by decorators.

    Raises: CatalogError where a decorator is misused.
    """

    def __init__(
        self, module: str, doc: str | None, severity: Severity, since: str = "0.1", needs: str = ""
    ) -> None:
        self.module = module
        self.doc = doc
        self.severity = severity
        self.since = since
        self.needs = needs
        self.finders: list[Finder] = []
        self.watchers: list[Watcher] = []
        self.explainers: list[Explainer] = []
        self.inspectors: list[Inspector] = []
        self.probers: list[Facet] = []
        self.comparers: list[Facet] = []
        self.breaking: set[str] = set()

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2].replace("_", "-")

    @property
    def group(self) -> str:
        return self.module.split(".")[-2]

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Where this pitfall is met; derived from the facets, so it cannot be claimed falsely."""
        has = {
            "check": bool(self.finders),
            "fix": any(finder.fixes for finder in self.finders),
            "watch": bool(self.watchers),
            "explain": bool(self.explainers),
            "ckpt": bool(self.inspectors),
            "env": bool(self.probers),
            "ranks": bool(self.comparers),
        }
        return tuple(surface for surface, there in has.items() if there)

    @overload
    def finds(self, function: Facet) -> Facet: ...

    @overload
    def finds(self, *, fixes: bool) -> Callable[[Facet], Facet]: ...

    def finds(self, function: Facet | None = None, *, fixes: bool = False) -> Any:
        """`@pitfall.finds` or `@pitfall.finds(fixes=True)`: a generator function of a Code."""

        def register(facet: Facet) -> Facet:
            self.finders.append(Finder(self._facet(facet), fixes))
            return facet

        return register if function is None else register(function)

    def watches(self, moment: str, *, needs: str = "") -> Callable[[Facet], Facet]:
        """`@pitfall.watches("optimizer.step")`: a generator function of that moment."""
        if not isinstance(moment, str):
            raise self._misuse(moment, 'name the moment: @pitfall.watches("optimizer.step")')

        def register(facet: Facet) -> Facet:
            self.watchers.append(Watcher(moment, self._facet(facet), needs))
            return facet

        return register

    def inspects(self, fact: str, *, sure: bool = True) -> Callable[[Facet], Facet]:
        """`@pitfall.inspects("stats")`: a generator function of a checkpoint as read
        (`keng.stored.Checkpoint`) whose property of that name is not empty. With `sure=False` it is
        asked only where what is not sure is wanted."""
        if not isinstance(fact, str):
            raise self._misuse(fact, 'name what it looks at: @pitfall.inspects("tensors")')

        def register(facet: Facet) -> Facet:
            self.inspectors.append(Inspector(fact, self._facet(facet), sure))
            return facet

        return register

    def probes(self, facet: Facet) -> Facet:
        """`@pitfall.probes`: a generator function of a `keng.machine.Machine`."""
        self.probers.append(self._facet(facet))
        return facet

    def breaks(self, *names: str) -> None:
        """Pitfalls whose errors a machine with this one raises: where one of these is explained, its
        probers are asked as well."""
        self.breaking.update(names)

    def compares(self, facet: Facet) -> Facet:
        """`@pitfall.compares`: a generator function of what the ranks of a run have told
        (`keng.ranks`)."""
        self.comparers.append(self._facet(facet))
        return facet

    def says(self, *patterns: str, odds: float = 0.8) -> None:
        """Messages that the page explains by itself."""
        self.explainers.extend(Explainer(self._pattern(text), None, odds) for text in patterns)

    def answers(self, table: Mapping[str, str], odds: float = 0.8) -> None:
        """Pieces of messages, as they stand in them, and what is said of each."""

        def told(failure: Any) -> Hits:
            yield failure.hit(table[failure.groups["said"]])

        self.explains(f"(?P<said>{'|'.join(map(re.escape, table))})", odds=odds)(told)

    def explains(self, *patterns: str, odds: float = 0.8) -> Callable[[Facet], Facet]:
        """`@pitfall.explains(regex)`: a generator function of a Failure whose numbers, frames or
        live objects deserve words of their own. Patterns meet a message with every run of white
        space in it as one space."""
        texts = [self._pattern(text) for text in patterns]

        def register(facet: Facet) -> Facet:
            function = self._facet(facet)
            self.explainers.extend(Explainer(text, function, odds) for text in texts)
            return facet

        return register

    def _pattern(self, text: str) -> str:
        if not isinstance(text, str):
            raise self._misuse(text, "takes regular expressions: @pitfall.explains(r'...')")
        return text

    def _facet(self, facet: Facet) -> Facet:
        code = getattr(facet, "__code__", None)
        if code is None:
            raise self._misuse(facet, "a facet is a function")
        if not code.co_flags & 0x20:  # inspect.CO_GENERATOR, without the import
            raise self._misuse(facet, f"{code.co_name} must yield its hits")
        if code.co_argcount != 1 or code.co_kwonlyargcount:
            raise self._misuse(facet, f"{code.co_name} takes exactly one argument")
        return facet

    def _misuse(self, thing: object, why: str) -> CatalogError:
        code = getattr(thing, "__code__", None)
        place = f"{code.co_filename}:{code.co_firstlineno}" if code else f"{self.module}:0"
        return CatalogError(f"{place}: {why}")
