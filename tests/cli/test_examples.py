"""The main job on a real program: digits as a beginner writes it, put right, and broken."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import forked

EXAMPLES = Path(__file__).parents[2] / "examples"
PITFALLS = {
    "eval-mode-missing",
    "functional-dropout-always-on",
    "loss-keeps-graph",
    "softmax-before-cross-entropy",
    "validation-records-gradients",
}
TELLS_ITS_STATE = """
        import hashlib
        digest = hashlib.sha256()
        states = [*model.state_dict().values(), torch.get_rng_state()]
        states += [t for s in optimizer.state.values() for t in s.values()]
        for tensor in states:
            digest.update(tensor.contiguous().numpy().tobytes())
        digest.update(repr(random.getstate()).encode())
        print("state", digest.hexdigest())
"""


def done(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NO_COLOR": "1"}
    command = [sys.executable, *words]
    return forked.run(command, capture_output=True, text=True, env=environment, cwd=cwd)


@cache
def watched(name: str) -> subprocess.CompletedProcess[str]:
    return done("-m", "keng", "run", str(EXAMPLES / name))


def named(text: str) -> set[str]:
    return set(re.findall(r"(?:error|warning) ([a-z-]+):", text))


def accuracy(text: str) -> float:
    return float(re.findall(r"test accuracy ([\d.]+)%", text)[-1])


def test_check_finds_four_a_hint_and_nothing_in_the_fixed_one() -> None:
    # That validation records gradients costs a little here, so it is a hint.
    checked = named(done("-m", "keng", "check", str(EXAMPLES / "digits.py")).stdout)
    assert checked == PITFALLS - {"validation-records-gradients"}
    hints = done("-m", "keng", "check", "--hints", str(EXAMPLES / "digits.py")).stdout
    assert "hint validation-records-gradients" in hints
    fixed = done("-m", "keng", "check", str(EXAMPLES / "digits_fixed.py"))
    assert (fixed.returncode, named(fixed.stdout)) == (0, set())


def test_run_names_what_happens_and_nothing_in_the_fixed_one() -> None:
    # The model is never in evaluation mode, so dropout that ignores it cannot show.
    assert named(watched("digits.py").stderr) == PITFALLS - {"functional-dropout-always-on"}
    assert watched("digits_fixed.py").stderr.startswith("keng: watching ")


def test_pitfalls_of_the_example_reduce_accuracy() -> None:
    assert accuracy(watched("digits.py").stdout) < accuracy(watched("digits_fixed.py").stdout) - 5


def test_crash_is_explained_below_the_traceback() -> None:
    alone, run = done(str(EXAMPLES / "digits_crash.py")), watched("digits_crash.py")
    assert (run.returncode, run.stdout) == (alone.returncode, alone.stdout)
    assert run.stderr.startswith(alone.stderr)
    said = run.stderr.removeprefix(alone.stderr)
    assert "`model.fc1` takes 512 features but gets 128" in said
    assert "nn.Linear(128, 64)" in said


@pytest.mark.parametrize("name", ["digits.py", "digits_fixed.py"])
def test_the_bits_are_the_same_with_and_without_keng(name: str, tmp_path: Path) -> None:
    text = (EXAMPLES / name).read_text("utf-8").replace("EPOCHS = 6", "EPOCHS = 1")
    told = text.replace("        print(f", f"{TELLS_ITS_STATE}        print(f")
    assert told != text
    (tmp_path / name).write_text(f"import random\nrandom.seed(0)\n{told}", "utf-8")
    alone = done(name, cwd=tmp_path)
    run = done("-m", "keng", "run", name, cwd=tmp_path)
    assert "state" in alone.stdout
    assert (run.returncode, run.stdout) == (alone.returncode, alone.stdout)
