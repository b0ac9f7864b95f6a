"""Many files are looked at in portions, one after the other or in several processes: what is told is the
same, and no more is held or parsed than is asked for."""

from __future__ import annotations

import ast
import gc
import os
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from keng import check
from keng.model import Pitfall
from keng.pitfalls import every
from keng.rules import finds
from keng.source import Code, Project
from keng.source.modes import Grad
from keng.source.project import trees as reading
from keng.source.project.prescan import Called, bound, calls
from keng.source.types.kinds import UNKNOWN
from made import pitfall

TRAIN = """\
import torch
from models import Net
from steps import step

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in torch.randn(4, 2, 3, 3):
    loss = torch.nn.functional.mse_loss(model(x), y)
    step(loss, optimizer)
"""
FILES = {
    "models.py": "import torch\n\n\nclass Net(torch.nn.Linear):\n    pass\n",
    "steps.py": "import torch\n\n\ndef step(loss, optimizer):\n    loss.backward()\n    optimizer.step()\n",
    **{f"train_{n}.py": TRAIN for n in range(4)},
    "moved.py": "import torch\n\nx = torch.ones(2)\nx.to('cpu')\n",
    "broken.py": "import torch\ndef (:\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(pitfalls: list[Pitfall] | None = None) -> check.Result:
    return check.run(["."], pitfalls or list(every()), suspicious=True)


def in_portions(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    """One file each."""
    monkeypatch.setattr("keng.check.engine.WHOLE", 0)
    monkeypatch.setattr("keng.check.engine.PORTION", 1)
    for name in ("engine", "pool"):
        monkeypatch.setattr(f"keng.check.{name}.cores", lambda: cores)


@pytest.mark.parametrize("cores", [1, 2])
def test_portions_give_the_findings_of_the_whole(
    cores: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = told()
    in_portions(monkeypatch, cores)
    parts = told()
    assert parts.findings == whole.findings
    assert (parts.skipped, parts.notes, parts.files) == (whole.skipped, whole.notes, whole.files)
    assert parts.codes.keys() == whole.codes.keys()
    names = Counter(finding.pitfall for finding in whole.findings)
    assert names["zero-grad-missing"] == 4, "found through steps.py"
    assert names["tensor-move-discarded"] == 1


def test_a_process_that_dies_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()

    @finds
    def ends_its_process(code: Code) -> Iterator[None]:
        if code.path == "moved.py" and os.getpid() != here:
            os._exit(9)
        yield from ()

    in_portions(monkeypatch, cores=2)
    skipped = {each.path: each.why for each in told([pitfall("dies", ends_its_process)]).skipped}
    assert skipped["moved.py"] == "the process that analysed it died"


def test_every_file_is_parsed_once_where_they_fit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(parses(monkeypatch).values()) == {1}


def test_trees_of_other_portions_are_let_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    forget = reading.Trees.clear

    def forgets(project: reading.Trees) -> None:
        held.append(len(project._trees))
        forget(project)
        assert not project._trees

    monkeypatch.setattr(reading.Trees, "clear", forgets)
    in_portions(monkeypatch, cores=1)
    assert max(parses(monkeypatch).values()) > 1, "what several portions ask for is parsed in each"
    assert len(held) == len(FILES)
    assert max(held) == 6, "steps.py, those that call it, and their model"


def test_only_files_that_may_call_are_parsed_for_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "home.py": "import torch\n\n\ndef add(x):\n    return x\n\n\ndef outer():\n    def add(x): ...\n",
        "imports.py": "import torch\nfrom home import (  # (what adds)\n    add,\n)\n\nadd(torch.ones(1))\n",
        "module.py": "import torch\nimport home\n\nhome.add(torch.ones(1))\n",
        "other.py": "import torch\n\nseen = set()\nseen.add(torch.ones(1))\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    project = Project(tmp_path, files=sorted(tmp_path.glob("*.py")))
    code = project.read(tmp_path / "home.py")
    assert isinstance(code, Code)
    parsed = counted(monkeypatch)
    add, _, inner = code.of(reading.FUNCTIONS[0])
    assert [c.path for c, _ in code.types.callers(add)] == [
        str(tmp_path / name) for name in ("imports.py", "module.py")
    ]
    assert not list(code.types.callers(inner))
    assert str(tmp_path / "other.py") not in parsed


def test_what_is_called_everywhere_is_not_followed_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MANY_FUNCTIONS", 2)
    monkeypatch.setattr(reading, "MANY_METHODS", 1)
    (tmp_path / "home.py").write_text(
        "import torch\n\ndef f(x): ...\n\nclass Net:\n    def m(self, x): ...\n\nf(1)\nNet().m(1)\n"
    )
    for n in range(2):
        (tmp_path / f"use_{n}.py").write_text("from home import f, Net\n\nf(1)\nNet().m(1)\n")
    project = Project(tmp_path, files=sorted(tmp_path.glob("use*.py")))
    code = project.read(tmp_path / "home.py")
    assert isinstance(code, Code)
    f, m = code.of(reading.FUNCTIONS[0])
    assert [len(list(code.types.callers(function))) for function in (f, m)] == [3, 1]


def test_callers_are_read_until_they_disagree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home.py").write_text("import torch\n\n\ndef f(x):\n    return x\n")
    given = ["torch.ones(1)", "unknown", "torch.ones(1)", "torch.ones(1)"]
    for n, value in enumerate(given):
        (tmp_path / f"use_{n}.py").write_text(f"import torch\nfrom home import f\n\nf({value})\n")
    project = Project(tmp_path, files=sorted(tmp_path.glob("use*.py")))
    code = project.read(tmp_path / "home.py")
    assert isinstance(code, Code)
    parsed = counted(monkeypatch)
    (result,) = code.of(ast.Return)
    assert code.types.value_of(result.value) is UNKNOWN
    assert sorted(map(os.path.basename, parsed)) == ["use_0.py", "use_1.py"]


def test_no_file_is_parsed_again_for_the_name_of_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home.py").write_text("import torch\n\n\ndef f(x): ...\n")
    (tmp_path / "again.py").write_text("import torch\nfrom home import f\n")
    (tmp_path / "use.py").write_text("import torch\nfrom again import f\n\nf(1)\n")
    project = Project(tmp_path)
    parsed = counted(monkeypatch)
    for _ in range(3):
        project.trees.clear()
        code = project.read(tmp_path / "use.py")
        assert isinstance(code, Code)
        (call,) = code.of(ast.Call)
        assert code.names.resolve(call.func) == "home.f"
    named = {os.path.basename(path): times for path, times in parsed.items()}
    assert named == {"use.py": 3, "again.py": 1, "home.py": 1}


def test_cleared_trees_are_freed_without_a_collection(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n\nfor n in range(3):\n    torch.ones(n)\n")
    project = Project(tmp_path)
    code = project.read(tmp_path / "train.py")
    assert isinstance(code, Code)
    nodes = weakref.ref(code.tree._kinds)
    gc.disable()
    try:
        del code
        project.trees.clear()
        assert nodes() is None
    finally:
        gc.enable()


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file is parsed from now on."""
    parsed = Counter[str]()
    parse = reading.parse
    monkeypatch.setattr(reading, "parse", lambda s: parsed.update([s.path]) or parse(s))
    return parsed


def parses(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    parsed = counted(monkeypatch)
    told()
    return parsed


@pytest.mark.parametrize("first", ["a.py", "b.py"])
def test_what_a_project_says_does_not_hang_on_who_asks_first(first: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import b\nimport c\n")
    (tmp_path / "b.py").write_text("import a\n")
    (tmp_path / "c.py").write_text("backward\n")
    project = Project(tmp_path)
    asked = [str(tmp_path / name) for name in (first, "a.py", "b.py")]
    assert [project.files.contains(b"backward", path) for path in asked] == [True] * 3
    assert not project.files.contains(b"forward", asked[0])


def test_calls_and_imports_are_read_off_the_text() -> None:
    data = "net.head.步(x)\nf(g(1), [2][0].h(3))\nif (a): pass\n".encode()
    assert set(calls(data)) == {
        Called(b"net", "步".encode()),
        Called(None, b"f"),
        Called(None, b"g"),
        Called(b"", b"h"),
    }
    data = b"import a.b as c\nfrom d import (e,  # ) no end\n    f)\nfrom g import h, \\\n    i\n"
    assert bound(data) >= {b"a", b"c", b"e", b"f", b"h", b"i"}
    assert b"*" not in bound(data)
    assert b"*" in bound(b"from x import *\n")


@pytest.mark.parametrize(("files", "grad"), [(20, Grad.OFF), (40, Grad.UNKNOWN)])
def test_what_is_called_in_many_files_is_not_judged_by_some(
    files: int, grad: Grad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("decay.py").write_text("import torch\n\n\ndef decay(weight):\n    weight.mul_(0.99)\n")
    uses = (
        "import torch\nfrom decay import decay\n\nwith torch.no_grad():\n    decay(torch.ones(3))\n"
    )
    for number in range(files):
        Path(f"use_{number}.py").write_text(uses)
    code = Project(".", files=sorted(Path().glob("*.py"))).read("decay.py")
    assert isinstance(code, Code)
    (call,) = code.of(ast.Call)
    assert code.modes.grad_at(call) is grad
