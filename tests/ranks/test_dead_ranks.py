"""Ranks that are gone: what became of them, and who tells it where rank 0 is the one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from test_launchers import TORCHRUN, ended, port, started

from job import job
from keng import pitfalls
from keng.battery.machines import built
from keng.env.files import Files
from keng.model import Span
from keng.ranks.calls import Collective, Parting, Side
from keng.ranks.collect.position import became_of
from keng.ranks.reports import Ranks
from keng.run.findings import Findings

NOBODY = 1 << 30
"""The number of a process that no system has."""
CGROUP = {
    "/proc/self/cgroup": "0::/job\n",
    "/sys/fs/cgroup/job/memory.events": "oom 2\noom_kill 1\n",
}
OLDER = {
    "/proc/self/cgroup": "4:memory:/job\n",
    "/sys/fs/cgroup/memory/job/memory.oom_control": "under_oom 0\noom_kill 1\n",
}
WHOLE = {"/proc/vmstat": "nr_free_pages 3\noom_kill 1\n"}
CALM = {"/proc/vmstat": "nr_free_pages 3\noom_kill 0\n"}


def ends(state: str, how: int) -> dict[str, str]:
    """Its line in the table of processes: the 52nd field is how it ended."""
    fields = [state, "1", *["0"] * 47, str(how)]
    return {f"/proc/{NOBODY}/stat": f"{NOBODY} (pt main thread) {' '.join(fields)}\n"}


ENDS: dict[str, tuple[dict[str, str], str]] = {
    "by its group": ({**CGROUP, **ends("Z", 9)}, "killed by SIGKILL, out of memory"),
    "by an older group": ({**OLDER, **ends("Z", 9)}, "killed by SIGKILL, out of memory"),
    "by the machine": ({**WHOLE, **ends("Z", 9)}, "killed by SIGKILL, out of memory"),
    "by a user": ({**CALM, **ends("Z", 9)}, "killed by SIGKILL"),
    "of itself, while memory was out": ({**CGROUP, **ends("Z", 11)}, "killed by SIGSEGV"),
    "with a code": ({**CGROUP, **ends("Z", 5 << 8)}, "ended with exit code 5"),
    "and was asked for": (CGROUP, "disappeared, out of memory"),
    "and was asked for, without a trace": (CALM, "disappeared without a trace"),
    "not at all": ({**CGROUP, **ends("S", 0)}, ""),
}


@pytest.mark.parametrize("case", ENDS)
def test_how_a_process_ended(case: str, tmp_path: Path) -> None:
    files, told = ENDS[case]
    machine = built({"files": files}, tmp_path)
    assert became_of(NOBODY, 0, machine) == told
    assert "memory" not in became_of(NOBODY, 1, machine)  # killed before this one began


def test_what_is_not_there_tells_nothing(tmp_path: Path) -> None:
    assert became_of(os.getpid(), 0, Files(str(tmp_path))) == ""
    assert became_of(NOBODY, 0, Files(str(tmp_path))) == "disappeared without a trace"


KILLED = """
import os
import signal
from pathlib import Path
import torch
import torch.distributed as dist
from keng.env import cgroups

cgroups.HOME = str(Path("cgroup").absolute())
events = [Path("cgroup", name) for name in ("memory.events", "memory/memory.oom_control")]
if os.environ["RANK"] == "0":
    for file in events:
        file.parent.mkdir(exist_ok=True)
        file.write_text("oom_kill 3\\n")
dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == GONE:
    for file in events:
        file.write_text("oom_kill 4\\n")
    os.kill(os.getpid(), signal.SIGKILL)
dist.all_reduce(torch.ones(1))
"""


GONE = "(killed by SIGKILL|disappeared), out of memory"
"""Who starts a rank may have asked for its ending before."""


def killed(rank: int) -> str:
    """A rank that ends as one ends that the kernel kills, and counters that say it was."""
    return KILLED.replace("GONE", str(rank))


@pytest.mark.skipif(not os.path.exists("/proc/self/cgroup"), reason="no control groups here")
def test_a_rank_that_the_kernel_kills(tmp_path: Path) -> None:
    done = job(killed(1), tmp_path)
    assert done.codes == [1, -9]
    (finding,) = done.told["findings"]
    assert re.match(f"rank 1 {GONE}; rank 0 waited", finding["says"])
    assert "dmesg" in finding["fix"]["title"]


def speaks_for_rank_0(folder: Path) -> tuple[list[int], str]:
    """One job whose rank 0 is killed."""
    run = ("keng", "run", "--json", "told.json", "train.py")
    launcher = started(folder, *TORCHRUN, "3", "--master-port", port(), "-m", *run)
    codes, _, err = ended(launcher)
    return codes, err


def test_where_rank_0_is_gone_one_other_speaks(tmp_path: Path) -> None:
    """The launcher, which holds the store, ends the others a tenth of a second later: that waits. On a
    machine so busy that they have not come to their error by then, they die of it like any program."""
    (tmp_path / "train.py").write_text(killed(0))
    for _ in range(3):
        codes, err = speaks_for_rank_0(tmp_path)
        assert codes == [1]
        if (tmp_path / "told.json").exists():
            break
    told = json.loads((tmp_path / "told.json").read_text())
    (finding,) = told["findings"]
    assert finding["pitfall"] == "rank-died", err
    assert re.match(f"rank 0 {GONE}; rank [12] waited", finding["says"]), err
    assert err.count("keng: 1 error in this run") == 1
    if not torch.__version__.startswith("2.4."):  # which tells of the first alone
        assert "-15" in err, "torchrun sees the others end as it has asked"


CURES = {
    "killed by SIGABRT": "Read what C\\+\\+ wrote above: .*calls differ",
    "killed by SIGKILL, out of memory": "`dmesg .* fewer workers",
    "disappeared without a trace": "`dmesg .* fewer workers",
    "ended with KeyError: 'x'": "Read the error of rank 1",
}


@pytest.mark.parametrize("gone", CURES)
def test_what_is_to_be_done(gone: str) -> None:
    waits = Collective("all_reduce", ((1,),), "float", (Span("train.py", 3),))
    sides = (Side((0,), waits, waits.where), Side((1,), gone=gone))
    findings = Findings([pitfalls.pitfall("rank-died")])
    findings.compare(Ranks(2, parting=Parting("0", 1, sides, stands=True)))
    (finding,) = findings.folded.values()
    assert finding.hit.says == f"rank 1 {gone}; rank 0 waited in all_reduce of [1] float"
    assert finding.hit.fix is not None
    assert re.match(CURES[gone], finding.hit.fix.title)


TOLD = """
import os, signal, sys
from keng.run.shutdown import told_first

OWN
with told_first():
    os.kill(os.getpid(), signal.SIGTERM)
    print("told", flush=True)
print("and on", flush=True)
"""


@pytest.mark.parametrize(
    ("own", "out", "code"),
    [
        ("", "told\n", -signal.SIGTERM),
        ("signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))", "", 7),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "told\nand on\n", 0),
    ],
)
def test_who_is_told_to_end_tells_first(own: str, out: str, code: int) -> None:
    program = TOLD.replace("OWN", own)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (out, code), done.stderr
