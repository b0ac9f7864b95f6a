"""The last lines of a rank aborted in C++, and loops that only wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from job import job
from keng.model import Span
from keng.ranks.calls import Collective, Parting, Side
from keng.ranks.collect.last_words import last_words
from keng.ranks.collect.position import gone_by

ABORTS = """
import os, sys, threading
from keng.ranks.collect.last_words import LastWords
words = LastWords()
print(words.path, threading.get_ident(), flush=True)
WORK
"""
IN_TORCH = """
import torch, torch.distributed as dist
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.distributed_c10d._get_default_group = os.abort
dist.all_reduce(torch.ones(1))
"""


def last_lines(work: str, folder: Path) -> tuple[tuple[Span, ...], str]:
    """The lines read from the fault file, and the path of that file."""
    script = folder / "script.py"
    script.write_text(ABORTS.replace("WORK", work))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    path, thread = done.stdout.split()
    return last_words(path, int(thread)).lines, path


def test_line_of_an_abort_within_a_torch_call_is_read(tmp_path: Path) -> None:
    lines, path = last_lines(IN_TORCH, tmp_path)
    assert [line.line for line in lines] == [10]
    assert not os.path.exists(path)


@pytest.mark.parametrize("work", ["os.abort()", "sys.exit(3)"])
def test_abort_by_the_program_itself_has_no_line(work: str, tmp_path: Path) -> None:
    assert last_lines(work, tmp_path)[0] == ()


def test_abort_is_named_even_if_the_stacks_could_not_be_read(tmp_path: Path) -> None:
    """The program runs on while its stacks are written, and the process may die of that."""
    path = tmp_path / "words"
    path.write_text("Fatal Python error: Aborted\n\nThread 0x00007f (most recent call first):\n")
    words = last_words(str(path), 0x7F)
    assert words.lines == ()
    assert gone_by(words, "killed by SIGSEGV") == "killed by SIGABRT"
    assert gone_by(last_words("", 0x7F), "killed by SIGSEGV") == "killed by SIGSEGV"


def test_faulthandler_of_the_program_is_kept(tmp_path: Path) -> None:
    script = "import faulthandler; faulthandler.enable()" + ABORTS.replace("WORK", "")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.startswith(" ")


def parting(*lines: int) -> Parting:
    call = Collective("all_reduce", ((1,),), "float", (Span("train.py", 3), Span("train.py", 20)))
    gone = Side((1,), gone="killed by SIGABRT", lines=tuple(Span("train.py", n) for n in lines))
    return Parting("0", 4, (Side((0,), call, call.where), gone), stands=True)


def test_abort_in_another_line_is_another_call() -> None:
    other = parting(5, 20).aborted
    assert other is not None
    assert other.where == Span("train.py", 5)
    behind = parting(3, 21).aborted
    assert behind is not None
    assert behind.where == Span("train.py", 21)
    assert parting(3, 20).aborted is None
    assert parting().aborted is None


def test_abort_in_the_same_line_is_a_call_of_another_size() -> None:
    same = parting(3, 20).aborted_alike
    assert same is not None
    assert same.where == Span("train.py", 3)
    assert parting(5, 20).aborted_alike is None
    assert parting().aborted_alike is None


DIFFERENT = """
import sys, time
import torch
import torch.distributed as dist
from keng.ranks.collect import monitor, python_calls

sys.path.append("site-packages")
import slow

if slow.rank == "1":
    LATE
dist.init_process_group("gloo")
if dist.get_rank() == 0:
    time.sleep(0.5)
    dist.all_reduce(torch.ones(50_000))
else:
    dist.all_reduce(torch.ones(4))
"""
SLOW = """
import os, time
rank = os.environ["RANK"]

def slow(*given):
    time.sleep(20)

def slowly(enter):
    def later(*given):
        time.sleep(2)
        enter(*given)
    return later
"""
LATE = {
    "keng reads its program within the call": "python_calls.code_at = slow.slow",
    "keng has hardly joined the job": "monitor.Member.enter = slow.slowly(monitor.Member.enter)",
}


@pytest.mark.parametrize("late", LATE)
def test_rank_that_gloo_aborts_is_in_its_call_although(late: str, tmp_path: Path) -> None:
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "slow.py").write_text(SLOW)
    done = job(DIFFERENT.replace("LATE", LATE[late]), tmp_path)
    assert done.codes == [1, -signal.SIGABRT]
    assert done.found == [("collectives-differ", 17)]


POLLS = """
import os, time
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(1))
    open("done", "w").close()
LOOP
"""
LOOPS = {
    "waits": "while not os.path.exists('done'):\n    time.sleep(0.1)",
    "works": "n = 0\nwhile not os.path.exists('done'):\n    n += 1\n    time.sleep(0.1)",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_waiting_loop_is_not_paired_with_other_ranks(loop: str, tmp_path: Path) -> None:
    done = job(POLLS.replace("LOOP", LOOPS[loop]), tmp_path, "--stall", "2", "--abort-on-stall")
    found = [each["pitfall"] for each in done.told["findings"]]
    assert found == (["collective-on-one-rank"] if loop == "waits" else [])
