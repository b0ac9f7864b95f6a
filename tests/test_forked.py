"""Processes that tests fork are what a start of Python would be (tests/support/forked.py)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import forked

PROGRAMS = {
    "streams": "print(sys.argv, sys.stdin.read(), __name__, __file__, sys.path[0])",
    "no torch before its import": "print('torch' in sys.modules)",
    "end": "import atexit\natexit.register(print, 'end')",
    "exit code": "sys.exit(3)",
    "text as exit code": "sys.exit('why')",
    "traceback": "def f():\n    1 / 0\nf()",
    "interrupt": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time; time.sleep(9)",
    "killed": "import os, signal\nprint('lost')\nos.kill(os.getpid(), signal.SIGKILL)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_forked_script_ends_as_a_started_one(name: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"import sys\n{PROGRAMS[name]}\n")

    def ended(run: Any) -> tuple[int, str, str]:
        command = [sys.executable, "program.py", "a"]
        done = run(command, input="in", capture_output=True, text=True, cwd=tmp_path, timeout=60)
        return done.returncode, done.stdout, done.stderr

    assert ended(forked.run) == ended(subprocess.run)


def test_import_of_torch_goes_through_finders(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import importlib.util, sys\nprint(importlib.util.find_spec('torch').origin[-17:])\n"
        "import torch, numpy.random\nprint(torch.ones(2).sum().item(), torch._dynamo.__name__)\n"
    )
    done = forked.run([sys.executable, "program.py"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("torch/__init__.py\n2.0 torch._dynamo\n", "")


def test_other_options_of_python_start_a_process() -> None:
    with forked.start([sys.executable, "-X", "dev", "-c", "pass"]) as process:
        assert isinstance(process, subprocess.Popen)
        assert process.wait() == 0
