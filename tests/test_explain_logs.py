"""Logs: ranks that speak at once are told apart, and a large log is read in pieces."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path
from textwrap import dedent

import pytest

from keng import explain
from keng.explain import logs
from keng.faces.cli import main

STEP = "[2026-11-21 10:00:{:02}] step {} loss 0.5 Test Error 0.3 lr 0.001 eta 1 day\n"
BROKEN = """\
Traceback (most recent call last):
  File "/home/u/train.py", line 12, in main
    out = net(x)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x4 and 3x3)
"""
WARNED = "/home/u/a.py:3: UserWarning: Using a target size (torch.Size([4])) that is different to the input \
size (torch.Size([4, 1])). This will likely lead to incorrect results due to broadcasting.\n  loss = f(x)\n"

INTERLEAVED = """\
[rank0]: Traceback (most recent call last):
[rank1]: Traceback (most recent call last):
[rank0]:   File "/home/u/train.py", line 40, in main
[rank1]:   File "/home/u/train.py", line 31, in main
[rank0]:     dist.all_reduce(x)
[rank1]:     loss = F.cross_entropy(scores, labels)
[rank1]: IndexError: Target 7 is out of bounds.
[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, unhandled system error
"""
SUMMARY = """\
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-21_10:00:00
  rank      : 1 (local_rank: 1)
  exitcode  : 1 (pid: 15)
"""


def log_of(steps: int, **at: str) -> bytes:
    """A log of steps, with a text after every `each` of them, or after one."""
    lines = []
    for n in range(1, steps + 1):
        lines.append(STEP.format(n % 60, n))
        lines += [text for every, text in at.items() if n % int(every[1:]) == 0]
    return "".join(lines).encode()


def told(log: bytes) -> dict[str, tuple[int, int]]:
    found = explain.log(io.BytesIO(log))
    return {e.diagnoses[0].pitfall: (line, times) for e, line, times in found}


@pytest.mark.parametrize("summary", ["", SUMMARY])
@pytest.mark.parametrize("label", ["[rank{}]: ", "[{}]:", "[default{}]:"])
def test_the_rank_that_failed_first_is_explained(label: str, summary: str) -> None:
    text = INTERLEAVED
    for rank in "01":
        text = text.replace(f"[rank{rank}]: ", label.format(rank))
    explanation = explain.text(text + summary)
    best = explanation.diagnoses[0]
    assert (best.pitfall, best.why[0]) == ("label-out-of-range", "rank 1 failed first")
    assert explanation.place is not None
    assert explanation.place.line == 31


def test_the_summary_knows_better_than_the_order() -> None:
    two = dedent("""\
        [rank0]: IndexError: Target 7 is out of bounds.
        [rank1]: RuntimeError: grad can be implicitly created only for scalar outputs
        """)
    assert explain.text(two).diagnoses[0].pitfall == "label-out-of-range"
    assert explain.text(two + SUMMARY).diagnoses[0].pitfall == "nonscalar-backward"


def test_each_distinct_error_comes_once_with_its_count() -> None:
    log = log_of(1000, n100=WARNED, n301=BROKEN)
    assert told(log) == {"loss-broadcasts": (101, 10), "layer-size-mismatch": (311, 3)}


@pytest.mark.parametrize("piece", [5_000, 7_919, 100_000])
def test_no_error_is_lost_or_counted_twice_between_pieces(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(3000, n100=WARNED, n301=BROKEN)
    whole = told(log)
    monkeypatch.setattr(logs, "PIECE", piece)
    assert told(log) == whole


def test_a_warning_does_not_lend_its_place_to_an_error() -> None:
    explanation = explain.text(f"{WARNED}RuntimeError: CUDA error: out of memory\n")
    assert explanation.diagnoses[0].pitfall == "cuda-out-of-memory"
    assert explanation.place is None


def test_memory_does_not_grow_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "PIECE", 64 * 1024)
    explain.log(io.BytesIO(log_of(10, n5=BROKEN)))
    peaks = []
    for steps in (10_000, 80_000):
        log = io.BytesIO(log_of(steps, n1000=BROKEN))
        tracemalloc.start()
        explain.log(log)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5 + 100_000


def test_the_command_tells_the_rest_of_a_log(
    capsys: pytest.CaptureFixture[str], plain_folder: Path
) -> None:
    Path("train.log").write_bytes(log_of(400, n100=WARNED, n301=BROKEN))
    assert main(["explain", "train.log"]) == 0
    out = capsys.readouterr().out
    assert "in_features=4" in out.splitlines()[0]
    assert "line 101, 4 times: loss-broadcasts" in out
