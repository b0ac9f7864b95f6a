"""How the comparing of ranks grows: `python benchmarks/ranks_scale.py [WORLD ...]`, `... real [RANKS]`.

Simulated: the members of keng, one for each rank, and their mailboxes, over a store in this process. They
replay the collectives and the reports that two real ranks of a DDP training have made, which is recorded
first. The store has one server; what an operation takes there and on the way is measured first, with a real
TCPStore and 2 to 64 local clients. Time is simulated, one look a second and ten steps a second, but for the
CPU time of keng's own code, which is measured and added.

Printed for each number of ranks: operations and bytes of a step, of the median rank and of rank 0, and the
CPU time of a step that keng's letters take there (reading the recorder is not in it: `ranks_overhead.py`
measures that, which is the same for any number of ranks); CPU seconds of rank 0 in the first ten seconds, in
which every rank reports once; the share of a core that the server of the store works; then the seconds until
a hang is named and the lines of its report, and until a rank whose parameters differ, one that calls
something else and one that is slower are named.

`real`: as many idle processes over gloo, of which one makes a call too few: the seconds until it is named.
"""

from __future__ import annotations

import gc
import heapq
import os
import pickle
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch.distributed as dist

from keng import pitfalls
from keng.model import Finding, Span
from keng.ranks.calls import NO_MAIL, Call, Mail, Stall, Standing
from keng.ranks.collect.journal import Read
from keng.ranks.collect.messages import Hello, Made, Tells
from keng.ranks.collect.monitor import Member
from keng.ranks.collect.pace import StepTime
from keng.ranks.collect.rows_fed import sent
from keng.ranks.collect.store import Mailbox
from keng.ranks.reports import FedRows, Told
from keng.report import rank_positions
from keng.report.words import Words
from keng.run.findings import Findings
from keng.run.plan import Plan
from keng.run.sampling import Sampler

WORLDS = (8, 64, 256, 1024, 4096)
STEP = 0.1
"""Seconds of a step."""
BEGUN, STEADY, LONGEST = 10.0, 60.0, 300.0
"""Seconds of the start, of what is measured after it, and in which a fault must be named."""
RECORD = """
import pickle
import sys
import torch
import torch.distributed as dist
from torch import nn
from keng.ranks.collect.store import Mailbox

letters, post = [], Mailbox.post


def recorded(self, letter):
    letters.append(letter)
    post(self, letter)


Mailbox.post = recorded
torch.set_num_threads(1)
dist.init_process_group("gloo")
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
model = nn.parallel.DistributedDataParallel(nn.TransformerEncoder(layer, 12), bucket_cap_mb=0.1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
torch.manual_seed(dist.get_rank())
for step in range(60):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8, 32)).square().mean()
    loss.backward()
    optimizer.step()
    dist.all_reduce(loss.detach())
rank = dist.get_rank()
dist.destroy_process_group()
if rank:
    with open(sys.argv[1], "wb") as file:
        pickle.dump(letters, file)
"""
IDLE = """
import sys
import time
import torch
import torch.distributed as dist
from datetime import timedelta

torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=timedelta(seconds=600))
dist.barrier()
if dist.get_rank() == dist.get_world_size() - 1:
    time.sleep(600)
dist.all_reduce(torch.ones(1))
"""


class Costs(NamedTuple):
    """Of an operation, in seconds: the way there and back, the server's work, the client's CPU time; and
    seconds of a byte."""

    latency: float
    service: float
    client: float
    byte: float


class Journal(NamedTuple):
    """What one rank has recorded: the collectives of each step, and a report."""

    steps: list[list[Call]]
    told: Told
    rows: FedRows | None = None


class Store:
    """The operations of torch's stores that a mailbox uses, with one server, and counts by rank."""

    def __init__(self, costs: Costs) -> None:
        self.values: dict[str, bytes] = {}
        self.costs = costs
        self.free = 0.0
        self.operations: Counter[int] = Counter()
        self.nbytes: Counter[int] = Counter()

    def client(self, clock: Clock) -> Client:
        return Client(self, clock)


class Clock:
    """The time of one rank. `own` is the CPU time of its looks."""

    def __init__(self, rank: int) -> None:
        self.rank, self.now, self.own = rank, 0.0, 0.0
        self._since: float | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Around keng's own code: its CPU time passes here as well."""
        self._since = time.thread_time()
        try:
            yield
        finally:
            self._pass()
            self._since = None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Around what is simulated."""
        self._pass()
        try:
            yield
        finally:
            self._since = time.thread_time() if self._since is not None else None

    def _pass(self) -> None:
        if self._since is not None:
            took = time.thread_time() - self._since
            self.now, self.own = self.now + took, self.own + took


class Client:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def clone(self) -> Client:
        return self

    def set_timeout(self, timeout: object) -> None:
        """None is needed."""

    def set(self, key: str, value: bytes) -> None:
        with self._operation(key, value):
            self._store.values[key] = value

    def get(self, key: str) -> bytes:
        with self._operation(key, self._store.values[key]):
            return self._store.values[key]

    def has_extended_api(self) -> bool:
        return True

    def multi_get(self, keys: list[str]) -> list[bytes]:
        found = [self._store.values[key] for key in keys]
        with self._operation(*keys, *found):
            return found

    def add(self, key: str, amount: int) -> int:
        with self._operation(key, bytes(8)):
            number = int(self._store.values.get(key, b"0")) + amount
            self._store.values[key] = str(number).encode()
            return number

    def check(self, keys: list[str]) -> bool:
        with self._operation(*keys):
            return all(key in self._store.values for key in keys)

    def compare_set(self, key: str, expected: str, wanted: str) -> bytes:
        with self._operation(key, wanted, self._store.values.get(key, b"")):
            if self._store.values.get(key, b"") == expected.encode():
                self._store.values[key] = wanted.encode()
            return self._store.values[key]

    def delete_key(self, key: str) -> bool:
        with self._operation(key):
            return self._store.values.pop(key, None) is not None

    @contextmanager
    def _operation(self, *sent: str | bytes) -> Iterator[None]:
        store, costs = self._store, self._store.costs
        with self._clock.stopped():
            nbytes = sum(map(len, sent)) + 16  # the kind of operation and a length
            store.operations[self._clock.rank] += 1
            store.nbytes[self._clock.rank] += nbytes
            begun = max(self._clock.now + costs.latency / 2, store.free)
            store.free = begun + costs.service + nbytes * costs.byte
            self._clock.now = store.free + costs.latency / 2
            self._clock.own += costs.client
            yield


class Fault(NamedTuple):
    """What one rank does from a step on: nothing any more ("hangs"), another collective ("calls"), it has
    other parameters ("parameters"), or the others wait for it ("slow")."""

    kind: str
    rank: int
    step: int


class Simulated:
    """A process that replays a journal, as far as its clock has come."""

    def __init__(
        self, clock: Clock, world: int, calls: list[Call], per_step: int, fault: Fault | None
    ) -> None:
        self.rank, self.world = clock.rank, world
        self._clock, self._calls, self._per_step, self._fault = clock, calls, per_step, fault
        self._read = 0

    def now(self) -> float:
        return self._clock.now

    def hello(self) -> Hello:
        return Hello(self.rank, 1, f"node{self.rank // 8}", 0)

    def pulse(self) -> int:
        made = int(self._clock.now / STEP) * self._per_step
        if self._fault is not None and self._fault.kind == "hangs":
            last = self._fault.step * self._per_step
            made = min(made, last + (self.rank != self._fault.rank))
        return min(made, len(self._calls))

    def sent(self) -> int:
        return 0

    def read(self) -> Read:
        with self._clock.stopped():
            made = self.pulse()
            calls = tuple(self._calls[self._read : made])
            self._read = made
            return Read(calls, self._waits(made))

    def _waits(self, made: int) -> tuple[Call, ...]:
        hangs = self._fault is not None and self._fault.kind == "hangs"
        return (self._calls[made - 1],) if hangs and made % self._per_step else ()

    def mail(self) -> Mail:
        return NO_MAIL

    def groups(self) -> dict[str, tuple[int, ...]]:
        with self._clock.stopped():
            return {"0": _ranks(self.world)}

    def standing(self, read: Read, mail: Mail, made: int) -> Standing:
        where = Span("train.py", 99)
        return Standing(self.rank, read.waits, where, "train", made=made, at=self._clock.now)

    def frame(self) -> None:
        """There is no program."""

    def close(self) -> None:
        """Nothing is held."""


RANKS: dict[int, tuple[int, ...]] = {}


def _ranks(world: int) -> tuple[int, ...]:
    return RANKS.setdefault(world, tuple(range(world)))


class Named(NamedTuple):
    """When something was named, and what."""

    seconds: float
    says: str
    lines: int = 0


class Job:
    """All ranks of a job, each with its own clock; the one that is behind looks next."""

    def __init__(self, world: int, journal: Journal, costs: Costs, fault: Fault | None) -> None:
        self.world, self.fault, self._journal = world, fault, journal
        self.store = Store(costs)
        self.clocks = [Clock(rank) for rank in range(world)]
        self.named: list[Named] = []
        every = list(pitfalls.having("ranks"))
        per_step = len(journal.steps[0])
        calls = _calls(journal, None)
        other = _calls(journal, fault) if fault is not None and fault.kind == "calls" else calls
        self.members: list[Member] = []
        self._times: list[Any] = []
        for clock in self.clocks:
            mine = other if fault is not None and clock.rank == fault.rank else calls
            process = Simulated(clock, world, mine, per_step, fault)
            plan = Plan(on_stall=self._stall) if clock.rank == 0 else Plan()
            findings = Findings(every if clock.rank == 0 else [], self._found)
            self.members.append(Member(findings, plan, process))
            times: Any = SimpleNamespace(ended=deque(), loads=None, steps=None, loop=None)
            self._times.append(times)
            self.members[-1].time(times)
        self._samplers = [Sampler() for _ in self.clocks]
        self._steps = [0] * world
        self._reports = [0] * world

    def run(self, until: float, ends: Callable[[], bool] = lambda: False) -> None:
        """Simulates the job up to some second, or until it has ended."""
        due = [(clock.now, clock.rank) for clock in self.clocks]
        heapq.heapify(due)
        while due and not ends():
            at, rank = heapq.heappop(due)
            if at > until:
                continue
            self._look(rank, at)
            heapq.heappush(due, (self.clocks[rank].now + self.members[rank].tick, rank))

    def _look(self, rank: int, at: float) -> None:
        member, clock = self.members[rank], self.clocks[rank]
        if not clock.now:
            member_box = Mailbox(self.store.client(clock), 1)
            with clock.running():
                member.enter(member_box)
            clock.now += (rank * 0.6180339887) % 1.0  # looks of ranks do not fall together
            return
        clock.now = max(clock.now, at)
        self._report(member, clock)
        with clock.running():
            member.look()

    def _report(self, member: Member, clock: Clock) -> None:
        last = int(clock.now / STEP)
        if self.fault is not None and self.fault.kind == "hangs":
            last = min(last, self.fault.step)
        while self._steps[clock.rank] < last:
            self._steps[clock.rank] += 1
            self._times[clock.rank].ended.append(self._step_time(clock.rank))
            if self._samplers[clock.rank].due():
                told = self._told(clock.rank, self._steps[clock.rank])
                member.tell(lambda told=told: told)  # type: ignore[misc]

    def _step_time(self, rank: int) -> StepTime:
        step, fault = self._steps[rank], self.fault
        waited = STEP / 4
        if fault is not None and fault.kind == "slow" and step >= fault.step:
            waited = STEP / 20 if rank == fault.rank else 3 * STEP / 4
        return StepTime(STEP, waited=waited, at=step * STEP)

    def _told(self, rank: int, step: int) -> Told:
        told = self._journal.told
        batches = tuple(b._replace(digest=hash((b.digest, rank, step))) for b in told.batches)
        drawn = {n: tuple(hash((d, rank)) for d in ds) for n, ds in told.drawn.items()}
        told = told._replace(
            rank=rank,
            step=step,
            moment=(step, 0),
            batches=batches,
            drawn=drawn,
            local_rank=rank % 8,
            fed_rows=self._rows(rank),
        )
        fault = self.fault
        if fault is None or fault.kind != "parameters" or rank != fault.rank or step < fault.step:
            return told
        first, *others = told.replicas
        parameters = {name: value + 1 for name, value in first.parameters.items()}
        return told._replace(replicas=(first._replace(parameters=parameters), *others))

    def _rows(self, rank: int) -> FedRows | None:
        """In the first, the second, the fourth report: samples of the rank's own."""
        rows, count = self._journal.rows, self._reports[rank] + 1
        self._reports[rank] = count
        if rows is None or count & (count - 1):
            return None
        kept = rows.rows[: sent(self.world)]
        own = tuple(hash((row, rank)) >> 1 for row in kept)
        return rows._replace(rows=own, members=_ranks(self.world), together=())

    def _stall(self, stall: Stall) -> None:
        lines = rank_positions.lines(stall, Words("en"))
        self.named.append(Named(self.clocks[0].now, "stall", len(lines)))

    def _found(self, finding: Finding) -> None:
        self.named.append(Named(self.clocks[0].now, f"{finding.pitfall}: {finding.hit.says}"))


def _calls(journal: Journal, fault: Fault | None) -> list[Call]:
    """Those of a run that lasts long enough, one object for all ranks. With the fault, one call of the
    step comes from another line and is of another shape."""
    calls: list[Call] = []
    for step in range(int((BEGUN + STEADY + LONGEST) / STEP)):
        for call in journal.steps[step % len(journal.steps)]:
            calls.append(call._replace(number=len(calls) + 1, at=step * STEP))
    if fault is not None:
        at = fault.step * len(journal.steps[0])
        made = calls[at].collective._replace(shapes=((7,),), lines=(Span("train.py", 7),))
        calls[at] = calls[at]._replace(collective=made)
    return calls


class Traffic(NamedTuple):
    """Of one rank and one step."""

    operations: float
    nbytes: float
    cpu: float


class Load(NamedTuple):
    """Of the median rank and of rank 0, in a step; CPU seconds of rank 0 in the first ten seconds; the share
    of a core of the store's server."""

    rank: Traffic
    first: Traffic
    begins: float
    server: float


FAULTS = {
    "hangs": "stall",
    "parameters": "models-differ-between-ranks ranks-diverge",
    "calls": "collective",
    "slow": "slower",
}
"""The kinds of faults in the order of the columns, and words of what names them."""


def traffic(world: int, journal: Journal, costs: Costs) -> Load:
    """Of a job without a fault: its start, and what comes after it."""
    job = Job(world, journal, costs, None)
    job.run(BEGUN)
    begun = _counts(job)
    job.run(BEGUN + STEADY)
    spent = [
        Traffic(*((e - b) / STEADY * STEP for b, e in zip(*pair, strict=True)))
        for pair in zip(begun, _counts(job), strict=True)
    ]
    median = Traffic(*map(statistics.median, zip(*spent[1:], strict=True)))
    server = sum(each.operations for each in spent) * costs.service
    server += sum(each.nbytes for each in spent) * costs.byte
    return Load(median, spent[0], begun[0][2], server / STEP)


def _counts(job: Job) -> list[tuple[float, float, float]]:
    store = job.store
    return [(store.operations[c.rank], store.nbytes[c.rank], c.own) for c in job.clocks]


def named(world: int, journal: Journal, costs: Costs, fault: Fault, what: str) -> Named:
    """When the fault was named, in seconds after it began."""
    job = Job(world, journal, costs, fault)
    begun = fault.step * STEP

    def found() -> list[Named]:
        return [each for each in job.named if any(w in each.says for w in what.split())]

    job.run(begun + LONGEST, lambda: bool(found()))
    if not found():
        return Named(float("inf"), "")
    return found()[0]._replace(seconds=found()[0].seconds - begun)


def recorded() -> Journal:
    """By two ranks of a real training."""
    with tempfile.TemporaryDirectory() as folder:
        script, letters = Path(folder, "train.py"), Path(folder, "letters")
        script.write_text(RECORD)
        _launch(2, [sys.executable, "-m", "keng", "run", str(script), str(letters)])
        posted = pickle.loads(letters.read_bytes())
    calls = [call for letter in posted if isinstance(letter, Made) for call in letter.calls]
    every = [letter.told for letter in posted if isinstance(letter, Tells)]
    rows = max((told.fed_rows for told in every if told.fed_rows), key=lambda fed: len(fed.rows))
    last = {call.collective.where for call in calls[-1:]}
    steps: list[list[Call]] = [[]]
    for call in calls:
        steps[-1].append(call)
        if call.collective.where in last:
            steps.append([])
    usual = Counter(map(len, steps)).most_common(1)[0][0]
    return Journal([step for step in steps if len(step) == usual], every[-1], rows)


def _launch(ranks: int, command: list[str]) -> list[str]:
    """What each rank writes to standard error."""
    started = [
        subprocess.Popen(command, env={**os.environ, **job}, stderr=subprocess.PIPE, text=True)
        for job in _environments(ranks)
    ]
    return [each.communicate()[1] for each in started]


def _environments(ranks: int) -> list[dict[str, str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    job = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(ranks)}
    return [
        {**job, "RANK": str(n), "LOCAL_RANK": str(n), "OMP_NUM_THREADS": "1"} for n in range(ranks)
    ]


CLIENTS = (2, 8, 64)
OPERATIONS = 4000


def measured() -> tuple[Costs, list[str]]:
    """With a real TCPStore, whose server is a thread of this process. Where the machine is busy, what
    an operation takes by the clock is mostly waiting for a core, so the shortest of the clients counts."""
    store = dist.TCPStore("127.0.0.1", 0, 1, True, wait_for_workers=False)
    told, each = [], Costs(0.0, 0.0, 0.0, 0.0)
    for clients in CLIENTS:
        asked = [(store.port, OPERATIONS // clients)] * clients
        with get_context("fork").Pool(clients) as pool:
            pool.map(_ask, asked, 1)  # once without a look at the clock
            cpu = time.process_time()
            took, client = map(min, zip(*pool.map(_ask, asked, 1), strict=True))
            server = (time.process_time() - cpu) / OPERATIONS
        each = Costs(each.latency or took, server, max(client, each.client), 0.0)
        told.append(
            f"{clients:3} clients: {took * 1e6:.0f} us an operation, of that CPU of the client"
            f" {client * 1e6:.0f} us, of the server {server * 1e6:.0f} us"
        )
    block = "x" * (1 << 22)
    begun = time.perf_counter()
    store.set("block", block)
    byte = (time.perf_counter() - begun) / len(block)
    told.append(f"{1e-6 / byte:.0f} MB/s")
    return each._replace(byte=byte), told


def _ask(asked: tuple[int, int]) -> tuple[float, float]:
    """Seconds and CPU seconds of an operation of one client."""
    port, times = asked
    store = dist.TCPStore("127.0.0.1", port, wait_for_workers=False)
    begun, cpu = time.perf_counter(), time.thread_time()
    for _ in range(times):
        store.add("number", 1)
    return (time.perf_counter() - begun) / times, (time.thread_time() - cpu) / times


HEADS = (
    " ranks  ops/step  B/step   us/step   rank 0:   B/step  us/step   of step  start s   server"
    "    hang  lines  params   calls    slow"
)


def cells(world: int, journal: Journal, costs: Costs) -> Iterator[str]:
    """A row of the table, each part as soon as it is measured: one of 4,096 ranks takes minutes."""
    rank, first, begins, server = traffic(world, journal, costs)
    yield f"{world:6} {rank.operations:8.3f} {rank.nbytes:8.1f} {rank.cpu * 1e6:8.1f}"
    yield f" {first.operations:9.2f} {first.nbytes:9.0f} {first.cpu * 1e6:8.1f}"
    yield f" {first.cpu / STEP:8.3%} {begins:8.2f} {server:8.2%}"
    at = int((BEGUN + 20) / STEP)
    for kind, what in FAULTS.items():
        found = named(world, journal, costs, Fault(kind, world - 3, at), what)
        yield f" {found.seconds:7.1f}" + (f" {found.lines:6}" if kind == "hangs" else "")
    yield "\n"


def real(ranks: int) -> None:
    """Prints what rank 0 writes to standard error. All are forked from a process that has imported torch."""
    with tempfile.TemporaryDirectory() as folder:
        script, said = Path(folder, "idle.py"), Path(folder, "said")
        script.write_text(IDLE)
        context = get_context("fork")
        jobs = _environments(ranks)
        processes = [context.Process(target=_idle, args=(job, script, said)) for job in jobs]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        print(said.read_text())


def _idle(job: dict[str, str], script: Path, said: Path) -> None:
    from keng.cli.main import main as keng

    os.environ.update(job)
    output = os.open(said if job["RANK"] == "0" else os.devnull, os.O_WRONLY | os.O_CREAT)
    os.dup2(output, 2)
    keng(["run", "--abort-on-stall", str(script)])


def main() -> int:
    if sys.argv[1:2] == ["real"]:
        real(int(sys.argv[2]) if sys.argv[2:] else 64)
        return 0
    gc.disable()  # it would look through the objects of all ranks, which lie in one process here
    costs, told = measured()
    print(*told, sep="\n")
    journal = recorded()
    print(
        f"{len(journal.steps[0])} collectives a step, {len(journal.told.replicas[0].parameters)} parameters"
    )
    print(HEADS)
    for world in map(int, sys.argv[1:] or WORLDS):
        for cell in cells(world, journal, costs):
            print(cell, end="", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
