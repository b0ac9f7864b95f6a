"""An error is explained by the few units whose words are in it; the rest is not imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from keng import pitfalls
from keng.explain.matching import index
from keng.explain.matching.literals import literals

ERROR = (
    "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
    "cuda:0 and cpu!"
)
PROGRAM = f"""
import sys
from keng import explain
explanation = explain.text({ERROR!r})
assert explanation.diagnoses[0].pitfall == "device-mismatch", explanation
print(*(name for name in sys.modules if name.startswith("keng.") and name.count(".") >= 2))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "keng"


def units_loaded() -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=os.environ
    )
    assert not done.returncode, done.stderr
    names = [name.split(".") for name in done.stdout.split()]
    return {parts[3] for parts in names if parts[1] == "catalog" and len(parts) == 4}


def test_only_units_with_words_of_the_error_are_imported(folder: Path) -> None:
    assert len(units_loaded()) == len(pitfalls.names())
    words = "device_mismatch left_behind_when_moved model_shared_by_threads tensor_move_discarded"
    assert units_loaded() == {*words.split()}


def test_where_nothing_can_be_kept_all_are_imported(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert len(units_loaded()) == len(pitfalls.names())


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b'{"stamp": "", "what": {}}', b"\xff"])
def test_what_is_damaged_is_made_again(folder: Path, damage: bytes) -> None:
    index.patterns()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage)
    assert [entry.pitfall for entry in index.patterns().possible(ERROR)]
    assert file.read_bytes() == whole


def test_a_changed_catalogue_is_looked_at_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pitfalls, "HOME", tmp_path / "catalog")
    unit = tmp_path / "catalog" / "loss" / "a_new_one.py"
    unit.parent.mkdir(parents=True)
    unit.write_text("old")
    old = index._stamp()
    unit.write_text("older")
    assert index._stamp() != old


def test_what_a_unit_was_before_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "BEGUN", 0.0)
    assert index.patterns().possible(ERROR)
    assert not folder.exists()


def test_every_pattern_has_words_to_be_known_by() -> None:
    for pitfall in pitfalls.every():
        for explainer in pitfall.explainers:
            shortest = min(map(len, literals(explainer.pattern)))
            assert shortest >= 4, f"{pitfall.name}: {explainer.pattern.pattern!r}"
