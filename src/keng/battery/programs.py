"""Executes programs of pages: each in a forked child of one process that has imported torch."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import random
import re
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from keng import pitfalls as catalog
from keng.model import Pitfall, Span
from keng.ranks.calls import LOST
from keng.run.frames import user_frames

if TYPE_CHECKING:
    from keng.run.findings import Result

LONGEST = 20.0
"""Seconds that a program may take."""
STALL = 1.0
"""Seconds without progress after which a program of several ranks is ended."""
PACE = 1.5
"""Seconds by which a rank must be slower than the others."""
LINGERS = 1.0
"""Seconds that a process may stay once it has told what became of it: rank 0 holds the store, where the
others see that they are to end."""
UNGIVEN = 16384, 32768
"""Ports that no system gives to who connects."""
HOME = Path(__file__).parents[1]
ROOMS = ("pitfalls", "ckpt", "explain", "ranks", "run", "source")
MODULES = [
    ".".join(file.relative_to(HOME.parent).with_suffix("").parts)
    for room in ROOMS
    for file in sorted(HOME.joinpath(room).rglob("*.py"))
    if file.stem != "__init__" and file.parent.name != "cases"
]
PRELOADED = [
    "torch",
    "torch._dynamo",  # optimizers import it, for a second
    "torch.distributed",
    "torch.utils.data",
    "pytest",
    *MODULES,
    "keng.battery.preloaded",
]
"""Imported once, for what a program does is over in a fiftieth of the time that these take."""
BESIDE = re.compile(
    r"^\s*(?:from|import) (?:transformers|peft|accelerate|pytorch_lightning|torchmetrics|torch_geometric)\b",
    re.MULTILINE,
)
COMPANIONS = [
    *("transformers.trainer", "transformers.models.gpt2.modeling_gpt2", "peft", "accelerate"),
    *("transformers.models.bert.modeling_bert", "pytorch_lightning", "torchmetrics"),
    *("torch_geometric.nn", "torch_geometric.transforms", "torch_geometric.loader"),
]
"""Imported besides, once, for programs with libraries next to PyTorch: each would take five seconds."""


@dataclass(frozen=True)
class Program:
    """A program with the asserts that follow it, or a message to be explained. `units` are sources of
    units of the catalogue, by module, that stand for those on disk. With `ranks` as many processes run
    the program, as under torchrun on so many `machines`. It sees no GPU, but for one that is for a `card`."""

    text: str
    proof: str = ""
    message: bool = False
    units: tuple[tuple[str, str], ...] = ()
    ranks: int = 1
    machines: int = 1
    card: bool = False


@dataclass(frozen=True)
class Named:
    """A pitfall that an engine named, in what words, and at which line of the program."""

    pitfall: str
    says: str
    line: int | None
    sure: bool = True


@dataclass(frozen=True)
class Outcome:
    """What became of a program. `raised` is its traceback as Python prints it, `proof` what the
    asserts raised, `fired` the facets that said something, `filed` what was seen in its checkpoints,
    `warned` what is deprecated in it, `died` why there is no more to tell, `handed_on` whether rank 0
    speaks for this one."""

    raised: str = ""
    proof: str = ""
    found: tuple[Named, ...] = ()
    fired: frozenset[str] = frozenset()
    by_text: tuple[Named, ...] = ()
    alive: tuple[Named, ...] = ()
    skipped: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    died: str = ""
    filed: tuple[Named, ...] = ()
    handed_on: bool = False


@dataclass
class Programs:
    """Executes each program once, several side by side, and keeps what became of it."""

    known: dict[Program, Future[Outcome]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)
        self._beside = forkserver.ForkServer()
        self._beside.set_forkserver_preload([*PRELOADED, *COMPANIONS])
        self._starts = Lock()
        self._workers = ThreadPoolExecutor(os.cpu_count() or 1)

    def start(self, program: Program) -> Future[Outcome]:
        if program not in self.known:
            self.known[program] = self._workers.submit(self._execute, program)
        return self.known[program]

    def outcome(self, program: Program) -> Outcome:
        """What nobody has set going before is executed here and now, ahead of all that waits."""
        if program not in self.known:
            self.known[program] = Future()
            self.known[program].set_result(self._execute(program))
        return self.known[program].result()

    def close(self) -> None:
        self._workers.shutdown(cancel_futures=True)

    def _execute(self, program: Program) -> Outcome:
        if program.message and not program.units:
            return _explained(program.text)  # executes nothing
        with TemporaryDirectory(prefix="keng-") as folder:
            started = [
                self._start(program, folder, environment) for environment in environments(program)
            ]
            first, *others = [self._end(*each) for each in started]
        return together(first, others) if others else first

    def _start(
        self, program: Program, folder: str, environment: dict[str, str]
    ) -> tuple[BaseProcess, Connection]:
        ours, theirs = self._context.Pipe(duplex=False)
        child = self._context.Process(target=_child, args=(program, folder, theirs, environment))
        with self._starts:
            self._start_beside(child) if _is_beside(program) else child.start()
        theirs.close()
        return child, ours

    def _start_beside(self, child: BaseProcess) -> None:
        """The one server that multiprocessing knows is another for the moment."""
        usual = forkserver.connect_to_new_process
        forkserver.connect_to_new_process = self._beside.connect_to_new_process
        try:
            child.start()
        finally:
            forkserver.connect_to_new_process = usual

    def _end(self, child: BaseProcess, ours: Connection) -> Outcome:
        try:
            outcome = ours.recv() if ours.poll(LONGEST) else Outcome(died=f"took {LONGEST} s")
        except EOFError:
            child.join()
            outcome = Outcome(died=f"ended with exit code {child.exitcode}")
        child.join(LINGERS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.join()
        return outcome


def _is_beside(program: Program) -> bool:
    """Libraries read the environment when they are imported, so not what a program sets before; and what
    they have asked of CUDA is lost on a fork."""
    text = program.text
    return BESIDE.search(text) is not None and "os.environ" not in text and not program.card


def environments(program: Program) -> list[dict[str, str]]:
    """What torchrun tells each process; nothing where there is but one. And which cards there are."""
    cards = {} if program.card else {"CUDA_VISIBLE_DEVICES": ""}
    if program.ranks == 1:
        return [cards]
    port = _free_port()
    local = program.ranks // program.machines
    job = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": program.ranks}
    return [
        {
            name: str(value)
            for name, value in {**cards, **job, "RANK": n, "LOCAL_RANK": n % local}.items()
        }
        for n in range(program.ranks)
    ]


def _free_port() -> int:
    """One that nobody is given before the job takes it. Other sessions of tests draw as well."""
    while True:
        with socket.socket() as free, contextlib.suppress(OSError):
            port = random.SystemRandom().randrange(*UNGIVEN)
            free.bind(("", port))
            return port


def together(first: Outcome, others: list[Outcome]) -> Outcome:
    """What became of all ranks. One that was ended in a stall, or that lost the others because of
    what was found, has died of that; of errors the one that made others lose it tells the cause."""
    every = [first, *others]
    found = first.found + tuple(f for o in others if not o.handed_on for f in o.found)
    raised = [o for o in every if o.raised]
    causes = [o for o in raised if not LOST.search(o.raised)]
    broken = next(iter(causes or ([] if found else raised)), Outcome())
    return replace(
        first,
        raised=broken.raised,
        by_text=broken.by_text,
        alive=broken.alive,
        found=found,
        fired=frozenset().union(*(o.fired for o in every)),
        skipped=tuple(why for o in every for why in o.skipped),
        proof=next((o.proof for o in every if o.proof), ""),
        died="" if found else next((o.died for o in every if o.died), ""),
    )


def _child(program: Program, folder: str, pipe: Connection, environment: dict[str, str]) -> None:
    gc.freeze()  # else each search for garbage goes through all of torch, and copies its memory
    os.setsid()
    os.environ.update(environment)
    with open(os.devnull, "w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    try:
        _replace_units(program)
        pipe.send(_explained(program.text) if program.message else _run(program, folder, pipe))
    except BaseException:
        pipe.send(Outcome(died=traceback.format_exc()))
    os._exit(0)


def _replace_units(program: Program) -> None:
    for name, source in program.units:
        sys.modules[name] = module_of(name, source)
    if program.units:
        catalog.forget()  # the rules that were loaded before the fork
        counted_pitfalls.cache_clear()


def module_of(name: str, source: str) -> ModuleType:
    """A unit from a text that is not the one on disk, under its name there: its frames are keng's."""
    module = ModuleType(name)
    file = HOME.parent.joinpath(*name.split(".")).with_suffix(".py")
    exec(compile(source, str(file), "exec"), vars(module))
    return module


def _explained(text: str) -> Outcome:
    from keng.explain.engine import explain_text

    try:
        return Outcome(raised=text, by_text=_named(explain_text(text), ""))
    except Exception:
        return Outcome(died=traceback.format_exc())


def _run(program: Program, folder: str, pipe: Connection) -> Outcome:
    from keng.run.plan import Plan
    from keng.run.watch import Watch

    path = str(Path(folder, "program.py"))
    Path(path).write_text(program.text, "utf-8", newline="")
    main = _main_module(path, folder)
    pitfalls, fired = counted_pitfalls()
    outcome = Outcome()
    abort = partial(_send_stalled, lambda: watch.result, path, fired, pipe)
    watch: Watch = Watch(pitfalls, None, Plan(STALL, abort=True, on_abort=abort, pace=PACE))
    try:
        with warnings.catch_warnings(record=True) as warned, watch:
            warnings.simplefilter("always")
            exec(compile(program.text, path, "exec", dont_inherit=True), vars(main))
    except BaseException as error:
        outcome = _broken(error, path)
    deprecated = tuple(
        str(each.message)
        for each in warned
        if each.filename == path and issubclass(each.category, (FutureWarning, DeprecationWarning))
    )
    proof = "" if outcome.raised else _proof(program, main)
    filed = _filed(program, main, folder, fired)
    outcome = replace(outcome, proof=proof, filed=filed, warned=deprecated)
    return _seen(watch.result, path, fired, outcome)


def _send_stalled(
    result: Callable[[], Result], path: str, fired: set[str], pipe: Connection
) -> None:
    pipe.send(_seen(result(), path, fired, Outcome()))


def _seen(result: Result, path: str, fired: set[str], outcome: Outcome) -> Outcome:
    found = tuple(
        Named(f.pitfall, f.hit.says, _line(f.hit.where, path), f.hit.sure) for f in result.findings
    )
    skipped = tuple(skipped.why for skipped in result.skipped)
    return replace(
        outcome, found=found, skipped=skipped, fired=frozenset(fired), handed_on=result.handed_on
    )


@cache
def counted_pitfalls() -> tuple[list[Pitfall], set[str]]:
    """The catalogue with counted rules, and the set to which each rule adds its name when it fires.
    Called once before programs are forked, which saves each of them a twentieth of its time."""
    fired: set[str] = set()
    return [_counted_in(pitfall, fired) for pitfall in catalog.every()], fired


def _counted_in(pitfall: Pitfall, fired: set[str]) -> Pitfall:
    rules = pitfall.rules("run")
    for n, rule in enumerate(rules):
        if isinstance(rule, type):
            rules[n] = _counted_recorder(rule, pitfall.name, fired)
        else:
            rules[n] = rule._replace(function=_counted(rule.function, fired))
    for n, comparer in enumerate(pitfall.comparers):
        pitfall.comparers[n] = _counted(comparer, fired)
    return pitfall


def _filed(program: Program, main: ModuleType, folder: str, fired: set[str]) -> tuple[Named, ...]:
    """What the units see in the checkpoints that a program has left, in files or in memory."""
    if "torch.save(" not in program.text and "torch.load(" not in program.text:
        return ()
    import io

    from keng.ckpt.inspection import inspect
    from keng.ckpt.reading import read_checkpoint
    from keng.ckpt.statistics import stats

    for name, value in list(vars(main).items()):
        if isinstance(value, io.BytesIO):
            Path(folder, f"{name}.pt").write_bytes(value.getvalue())
    units = [unit for unit in catalog.every() if unit.inspectors]
    for unit in units:
        unit.inspectors[:] = [
            each._replace(function=_counted(each.function, fired)) for each in unit.inspectors
        ]
    seen: list[Named] = []
    for path in sorted(Path(folder).glob("*.pt")):
        found = read_checkpoint(str(path))
        found.stats = stats(found)
        findings, skipped = inspect(found, units)
        assert not skipped, skipped
        seen += [Named(each.pitfall, each.hit.says, None) for each in findings]
    return tuple(seen)


def _main_module(path: str, folder: str) -> ModuleType:
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    os.chdir(folder)
    # The server that forked us is inherited as the way to start processes: workers of a program are
    # forked from the program, as on Linux up to Python 3.13.
    multiprocessing.set_start_method("fork", force=True)
    sys.argv, sys.path[0] = [path], folder
    main = ModuleType("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    return main


def _counted(function: Callable[[Any], Any], fired: set[str]) -> Callable[[Any], Any]:
    """The watcher, with a note that it fired. None of our frames stands between it and the program,
    whose frames it asks about."""

    def note(hit: Any) -> Any:
        fired.add(f"{_pitfall_of(function)}.{function.__name__}")
        return hit

    return lambda moment: map(note, function(moment))


def _counted_recorder(kind: Any, pitfall: str, fired: set[str]) -> Any:
    """The recorder, with a note that it reported something: at the program's line, not at ours."""

    def report(self: Any, says: str, sure: bool = True, where: Any = None, **rest: Any) -> None:
        fired.add(f"{pitfall}.{kind.__name__}")
        frame = next(user_frames(sys._getframe(1)), None)
        if frame is not None:
            where = where or Span(frame.f_code.co_filename, frame.f_lineno)
        kind.report(self, says, sure, where, **rest)

    return type(kind.__name__, (kind,), {"report": report})


def _pitfall_of(function: Callable[[Any], Any]) -> str:
    """The name of the pitfall in whose folder a rule is."""
    return function.__module__.split(".")[-2].replace("_", "-")


def _broken(error: BaseException, path: str) -> Outcome:
    from keng.explain.engine import explain_live, explain_text

    if error.__traceback__ is not None and not isinstance(error, SyntaxError):
        error.__traceback__ = error.__traceback__.tb_next  # the frame above is ours
    raised = "".join(traceback.format_exception(error))
    return Outcome(
        raised=raised,
        by_text=_named(explain_text(raised), path),
        alive=_named(explain_live(error), path),
    )


def _proof(program: Program, main: ModuleType) -> str:
    try:
        exec(compile(program.proof, "<proof>", "exec", dont_inherit=True), vars(main))
    except BaseException:
        return traceback.format_exc()
    return ""


def _named(explanation: Any, path: str) -> tuple[Named, ...]:
    assert getattr(explanation.note, "id", "") != "explain_failed", explanation.note
    return tuple(
        Named(d.pitfall, d.hit.says, _line(d.hit.where or explanation.place, path))
        for d in explanation.diagnoses
    )


def _line(where: Any, path: str) -> int | None:
    """The line, where it is one of the program's."""
    if where is None or os.path.basename(where.path) != os.path.basename(path):
        return None
    return int(where.line)
