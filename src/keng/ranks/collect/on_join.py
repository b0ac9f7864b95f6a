"""A rank in its program's own thread: joins when the job does, tells what is checked, and leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from platform import node
from types import MappingProxyType
from typing import Any

import torch.distributed as dist
from torch import __version__
from torch.optim import Optimizer

from keng._util.texts import sentence
from keng.model import Skipped, Span
from keng.ranks.collect.alignment import Alignment
from keng.ranks.collect.arithmetic import adds_up, calculates_with_ranks
from keng.ranks.collect.candidates import Candidates
from keng.ranks.collect.checkpoint_files import Files, local_rank
from keng.ranks.collect.data_seen import Draws, Feeds
from keng.ranks.collect.declared import Copies
from keng.ranks.collect.digests import numbers
from keng.ranks.collect.evaluated_states import States
from keng.ranks.collect.gpus import Cards
from keng.ranks.collect.journal import lacking, progress, records, steps_for_join
from keng.ranks.collect.loss_scale import LossScale
from keng.ranks.collect.manual_averaging import ByHands
from keng.ranks.collect.models import Replicas, shadows, trained_models, trained_sizes
from keng.ranks.collect.order_seen import Orders, Parts
from keng.ranks.collect.pace import StepTimes
from keng.ranks.collect.python_calls import PythonCalls, statement_at
from keng.ranks.collect.rows_fed import RowsFed
from keng.ranks.collect.schedules import Schedules
from keng.ranks.collect.section import Looks, Part
from keng.ranks.collect.shard_updates import ShardUpdates
from keng.ranks.collect.shards import Shards
from keng.ranks.collect.split_losses import SplitLosses
from keng.ranks.collect.summed_biases import SummedBiases
from keng.ranks.collect.targets import Targets
from keng.ranks.collect.watch import Watch
from keng.ranks.reports import LEAST_SUMS, Told
from keng.run.events import (
    Backward,
    BackwardEnd,
    Batch,
    Forward,
    ForwardEnd,
    LossEnd,
    ProcessGroupCreated,
    ProcessGroupDestroyed,
    RunEnd,
    SchedulerStep,
    StateRestored,
    Step,
    StepEnd,
)
from keng.run.frames import here
from keng.run.plan import Plan
from keng.run.recorder import Recorder
from keng.run.state import RunState

PARTS = (
    Replicas,
    ByHands,
    LossScale,
    Shards,
    ShardUpdates,
    Copies,
    Targets,
    SplitLosses,
    Candidates,
    SummedBiases,
    States,
    Schedules,
    RowsFed,
    Feeds,
    Draws,
    Parts,
    Orders,
    Files,
    Cards,
)
STEPS = {
    Batch,
    Forward,
    Backward,
    ForwardEnd,
    BackwardEnd,
    LossEnd,
    SchedulerStep,
    Step,
    StepEnd,
}


class ListenOnJoin(Recorder):
    """Keeps what compares ranks from the events of every step until the program has joined others: most
    programs never do."""

    def __init__(self, run: RunState, recorders: Sequence[Recorder]) -> None:
        super().__init__(run)
        self.recorders = recorders
        for recorder in recorders:
            recorder.dormant = tuple(recorder.handlers.keys() & STEPS)

    def process_group_created(self, event: ProcessGroupCreated) -> None:
        for recorder in self.recorders:
            recorder.listen(*recorder.dormant)


class Joint(Recorder):
    """`gone` is how the program ended, set before the end is reported."""

    def __init__(self, run: RunState, plan: Plan) -> None:
        super().__init__(run)
        self.gone: str = sentence("rank_ended")
        self.looks = Looks()
        # Where nothing is compared, ranks still have one report.
        kinds = PARTS if run.findings.comparers else ()
        self.parts: tuple[Part, ...] = tuple(kind(run, self.looks) for kind in kinds)
        self._plan = plan
        self._alignment = Alignment()
        self._member: Watch | None = None
        self._joined = self._backwards = 0
        self._stepped: Span | None = None
        self._resumed: Span | None = None
        self._calls: PythonCalls | None = None
        self._times: StepTimes | None = None
        self._speak = run.findings.on_finding

    def process_group_created(self, event: ProcessGroupCreated) -> None:
        if self._member is not None or dist.get_world_size() < 2:
            return
        findings = self.run.findings
        if lacks := ", ".join(lacking()):
            why = sentence("ranks_not_compared", version=__version__, names=lacks)
            findings.skipped.append(Skipped("", why))
            return
        self._joined += 1
        member = Watch(findings, self._plan, self._joined)
        member.start()
        self._member, findings.rank, self._speak = member, member.rank, findings.on_finding
        if member.rank:
            findings.on_finding = member.find
        if self.parts:
            self._calls = PythonCalls(self.looks)
            if records():
                self._times = StepTimes()
                member.time(self._times)
        self._look(True)

    def batch(self, event: Batch) -> None:
        if self._times is not None:
            self._times.batch(event.waited)

    def backward(self, event: Backward) -> None:
        if self._times is not None:
            self._times.begin_backward()

    def backward_end(self, event: BackwardEnd) -> None:
        if self._times is not None:
            self._times.end_backward()
        self._backwards += event.accumulates

    def state_restored(self, event: StateRestored) -> None:
        """What a checkpoint has changed is seen in the first steps after it."""
        if self._member is not None and isinstance(event.owner, Optimizer):
            self._resumed = here()
            self._alignment.resume()
            self._look(True)

    def step_end(self, event: StepEnd) -> None:
        if self._member is None:
            return
        if self._times is not None:
            self._times.end_step()
        due = self._alignment.end_step(progress())
        # A sharded optimizer steps for a rank that is out of inputs as well, by gradients of before.
        if self.looks.now and not steps_for_join():
            self._stepped = here()
            self._member.tell(self._telling(self._member.rank))
        self.looks.end_step()
        self._look(due)

    def process_group_destroyed(self, event: ProcessGroupDestroyed) -> None:
        self._leave(sentence("rank_ended"))

    def run_end(self, event: RunEnd) -> None:
        self._leave(self.gone)

    def _leave(self, gone: str) -> None:
        member, self._member = self._member, None
        if member is None:
            return
        if self._calls is not None:
            self._calls.close()
        if self._times is not None:
            self._times.close()
            self._times = None
        self._look(False)
        findings = self.run.findings
        findings.on_finding = self._speak
        last = _last_words(self.run) if self.parts else {}
        for part in self.parts:
            last.update(part.last_words())
        findings.handed_on = member.leave(gone, self._telling(member.rank, last))

    def _look(self, now: bool) -> None:
        if now is not self.looks.now:
            self.looks.now = now
            for part in self.parts:
                (part.listen if now else part.ignore)(*part.dozes)

    def _telling(
        self, rank: int, last: Mapping[str, Any] = MappingProxyType({})
    ) -> Callable[[], Told]:
        step, moment = self.run.step, self._alignment.moment
        reads = [part.draft() for part in self.parts]
        totals = self.looks.totals.draft(LEAST_SUMS, statement_at)
        made = {
            "named": tuple(self.looks.named),
            "backwards": self._backwards,
            "stepped": self._stepped,
            "resumed": self._resumed,
            "peers": self._member.peers() if self._member is not None else (),
        }

        def read() -> Told:
            fields: dict[str, Any] = {**made, **last}
            fields["totals"] = totals()
            for each in reads:
                fields.update(each())
            return _counted(
                Told(rank, step, moment, local_rank=local_rank(), node=node(), **fields)
            )

        return read


def _last_words(run: RunState) -> dict[str, Any]:
    """The report of the models at the end."""
    trained, kept = trained_models(run), shadows(run)
    values = numbers(digest for digest, _ in kept.values())
    return {
        "trained": dict(zip(trained, numbers(trained.values()), strict=True)),
        "shadows": {n: (v, kept[n][1]) for n, v in zip(kept, values, strict=True)},
        "sizes": trained_sizes(run),
    }


def _counted(told: Told) -> Told:
    """With a look into the files that train, for how they calculate."""
    places = [told.where, *(r.where for r in told.replicas), *(b.where for b in told.batches)]
    places += [model.where for model in told.by_hand]
    files = {place.path for place in places if place is not None}
    counts_ranks = any(calculates_with_ranks(file) for file in files)
    return told._replace(counts_ranks=counts_ranks, adds_up=any(map(adds_up, files)))
