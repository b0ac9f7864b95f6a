"""A stalled job is reported soon and ends as it would without keng; also with `keng.watch()` in each rank."""

from __future__ import annotations

import re
from pathlib import Path

from job import job

PARTS = """
import time
from datetime import timedelta
import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=12))
dist.barrier()
print(f"{time.time():.1f}", flush=True)
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(1))
dist.all_gather([torch.empty(3) for _ in range(2)], torch.ones(3))
"""


def test_timeout_of_the_program_follows_a_stall(tmp_path: Path) -> None:
    """With `--stall 2` it is reported 2 to 8 s after the last call, even on a loaded machine."""
    done = job(PARTS, tmp_path, "--stall", "2")
    assert done.codes == [1, 1]
    assert done.found == [("collective-on-one-rank", 11)]
    told = re.search(r"keng: (\d+) s without progress", done.ranks[0].err)
    assert told is not None
    assert 2 <= int(told[1]) <= 8
    stood, _, ended = done.ranks[0].err.partition("Traceback")
    assert "without progress" in stood  # before the time-out, which says no more than this:
    assert re.search(r"Timed out waiting \d+ms for|Connection closed by peer", ended)


WATCHES = """
import keng
import torch
import torch.distributed as dist

with keng.watch(on_finding=lambda finding: None) as watching:
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    gradient = torch.ones(4)
    for step in range(3):
        if rank == 0 and step == 1:
            dist.all_reduce(torch.full((4,), 100.0))
        dist.all_reduce(gradient)
    if rank == 1:
        dist.all_reduce(gradient)
found = watching.result
names = [(f.pitfall, f.hit.where.line, f.hit.evidence["ranks"]) for f in found.findings]
print(names, found.handed_on)
"""


def test_watch_in_each_rank_reports_a_stall(tmp_path: Path) -> None:
    done = job(WATCHES, tmp_path, "plain")
    assert done.ranks[0].out == "[('collective-on-one-rank', 12, 2)] False\n", done.ranks[0].err
    assert done.ranks[1].out == "[] True\n"  # rank 0 speaks for all


def test_rank_waiting_in_one_group_is_not_blamed_in_another(tmp_path: Path) -> None:
    text = """
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
mine = [dist.new_group([0, 1]), dist.new_group([2, 3])][rank // 2]
if rank != 3:
    dist.all_reduce(torch.ones(2), group=mine)
else:
    dist.all_gather([torch.ones(2), torch.ones(2)], torch.ones(2), group=mine)
    dist.barrier(group=mine)
dist.barrier()
"""
    done = job(text, tmp_path, "--stall", "2", "--abort-on-stall", ranks=4)
    assert done.found == [("collectives-differ", 9)]


ABORTED = """
import os
import torch
import torch.distributed as dist
from keng.ranks.collect import monitor
from keng.ranks.collect.store import Mailbox

if os.environ["RANK"] == "1":
    flag = Mailbox.flag
    Mailbox.flag = lambda self, name: name != monitor.ABORT and flag(self, name)
dist.init_process_group("gloo")
if dist.get_rank() != 2:
    dist.all_reduce(torch.ones(1))
dist.all_gather([torch.empty(3) for _ in range(3)], torch.ones(3))
"""


def test_rank_that_loses_an_aborted_job_does_not_report_rank_0_as_dead(tmp_path: Path) -> None:
    """Rank 1 never sees that all are to end: it loses the others first, and rank 0 holds the store."""
    done = job(ABORTED, tmp_path, "--stall", "2", "--abort-on-stall", ranks=3)
    assert done.codes == [1, 1, 1]
    assert done.found == [("collective-on-one-rank", 13)]
    assert "rank-died:" not in done.ranks[1].err, done.ranks[1].err
