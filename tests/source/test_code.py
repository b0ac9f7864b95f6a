"""keng.source: names, kinds, grad and training mode, loops, and edits."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from keng.model import Fix, Skipped
from keng.pitfalls.autograd.tensor_copied_by_constructor.check import _is_only_annotated
from keng.source import Act, Code, Grad, Kind, Project


def read(text: str, path: str = "program.py") -> Code:
    code = Project().read(path, text)
    assert isinstance(code, Code), code
    return code


def last_expression(code: Code, text: str) -> ast.expr:
    """The last expression of the file with this text."""
    found = [
        n for n in ast.walk(code.tree.root) if isinstance(n, ast.expr) and ast.unparse(n) == text
    ]
    loads = [n for n in found if not isinstance(getattr(n, "ctx", None), ast.Store)]
    return max(loads, key=code.tree.position)


RESOLVED = {
    "alias": (
        "import torch.nn.functional as G\nG.dropout(1)",
        "G.dropout",
        "torch.nn.functional.dropout",
    ),
    "from": (
        "from torch.nn import functional\nfunctional.relu(1)",
        "functional.relu",
        "torch.nn.functional.relu",
    ),
    "renamed": ("from torch import nn as N\nN.Linear(1, 1)", "N.Linear", "torch.nn.Linear"),
    "star": ("from torch.nn import *\nLinear(1, 1)", "Linear", "torch.nn.Linear"),
    "home": ("from torch.nn.modules.loss import MSELoss\nMSELoss()", "MSELoss", "torch.nn.MSELoss"),
    "assigned": (
        "from torch import nn\nCE = nn.CrossEntropyLoss\nCE()",
        "CE",
        "torch.nn.CrossEntropyLoss",
    ),
    "in a function": ("def f():\n    import torch\n    torch.ones(1)", "torch.ones", "torch.ones"),
    "shadowed": ("import torch\ndef f(torch):\n    torch.ones(1)", "torch.ones", ""),
    "bound twice": (
        "import torch\nif x:\n    import other as torch\ntorch.ones(1)",
        "torch.ones",
        "",
    ),
    "circular": ("a = b\nb = a\na.c(1)  # torch", "a.c", ""),
    "builtin": ("import torch\nlen(x)", "len", "builtins.len"),
}


@pytest.mark.parametrize(("text", "expression", "wanted"), RESOLVED.values(), ids=RESOLVED)
def test_names_resolve(text: str, expression: str, wanted: str) -> None:
    code = read(text)
    assert code.names.resolve(last_expression(code, expression)) == wanted


KINDS = {
    "factory": ("x = torch.ones(3)", Kind.TENSOR),
    "method": ("x = torch.ones(3).view(1, 3).float()", Kind.TENSOR),
    "number": ("x = torch.ones(3).sum().item()", Kind.NUMBER),
    "array": ("x = torch.ones(3).numpy()", Kind.ARRAY),
    "arithmetic": ("y = torch.ones(3)\nx = 2 * y + 1", Kind.TENSOR),
    "comparison": ("y = torch.ones(3)\nx = y > 0", Kind.TENSOR),
    "annotation": ("def f(x: torch.Tensor):\n    return x", Kind.TENSOR),
    "optional annotation": ("def f(x: 'torch.Tensor' = None):\n    return x", Kind.TENSOR),
    "module": ("x = nn.Linear(1, 1).cuda()", Kind.MODULE),
    "criterion": ("x = nn.CrossEntropyLoss()", Kind.CRITERION),
    "optimizer": ("x = torch.optim.SGD([], 0.1)", Kind.OPTIMIZER),
    "scheduler": ("x = torch.optim.lr_scheduler.StepLR(o, 1)", Kind.SCHEDULER),
    "scaler": ("x = torch.cuda.amp.GradScaler()", Kind.SCALER),
    "unpacked": ("x, y = nn.Linear(1, 1), 3", Kind.MODULE),
    "from a loader": (
        "l = torch.utils.data.DataLoader(d)\nfor i, (x, y) in enumerate(l):\n    x",
        Kind.TENSOR,
    ),
    "through a progress bar": (
        "l = torch.utils.data.DataLoader(d)\nfor x, y in tqdm(l, leave=False):\n    x",
        Kind.TENSOR,
    ),
    "a batch is no tensor": ("l = torch.utils.data.DataLoader(d)\nfor x in l:\n    x", Kind.BATCH),
    "by the callers": ("def f(x):\n    return x\nf(torch.ones(1))\nf(torch.zeros(2))", Kind.TENSOR),
    "callers disagree": ("def f(x):\n    x\nf(torch.ones(1))\nf(nn.Linear(1, 1))", Kind.UNKNOWN),
    "reassigned": ("x = torch.ones(1)\nx = x.numpy()\nx", Kind.ARRAY),
    "anew in a block": ("x = 3\nwith torch.no_grad():\n    x = torch.ones(1)\nx", Kind.TENSOR),
    "perhaps in a block": (
        "import contextlib as c\nx = 3\nwith c.suppress(OSError):\n    x = torch.ones(1)\nx",
        Kind.UNKNOWN,
    ),
    "on branches": ("if c:\n    x = torch.ones(1)\nelse:\n    x = 3\nx", Kind.UNKNOWN),
    "either way a tensor": (
        "x = None\nif c:\n    x = torch.ones(1)\nelse:\n    x = torch.zeros(1)\nx",
        Kind.TENSOR,
    ),
    "a name is no evidence": ("x = make_tensor()\nx", Kind.UNKNOWN),
    "itself": ("x = x\nx", Kind.UNKNOWN),
}


@pytest.mark.parametrize(("text", "wanted"), KINDS.values(), ids=KINDS)
def test_kind_needs_evidence(text: str, wanted: Kind) -> None:
    code = read(
        f"import torch\nfrom torch import nn\n{text}\nx\n"
        if "def" not in text
        else f"import torch\nfrom torch import nn\n{text}"
    )
    assert code.types.kind_of(last_expression(code, "x")) is wanted


CLASS = """
import torch
from torch import nn

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

class Net(Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1, 1)
        self.register_buffer("mean", torch.zeros(1))

    def forward(self, x):
        return self.fc(self.drop(x))

net = Net()
out = net(torch.ones(1))
"""


@pytest.mark.parametrize(("body", "wanted"), [("x + 1", True), ("x = y.cpu()\n    x + 1", False)])
def test_annotation_alone_gives_the_kind_of_an_argument(body: str, wanted: bool) -> None:
    code = read(f"import torch\ndef f(x: torch.Tensor, y):\n    {body}\n    return y\n")
    assert _is_only_annotated(code, last_expression(code, "x")) is wanted
    assert not _is_only_annotated(code, last_expression(code, "y"))


def test_classes_of_the_project_are_followed() -> None:
    code = read(CLASS)
    assert code.types.kind_of(last_expression(code, "net")) is Kind.MODULE
    assert code.types.kind_of(last_expression(code, "self.fc")) is Kind.MODULE
    assert code.types.kind_of(last_expression(code, "self.drop")) is Kind.MODULE
    assert code.types.kind_of(last_expression(code, "net(torch.ones(1))")) is Kind.TENSOR
    assert code.modes.mode_dependent_layers(last_expression(code, "net")) == {"Dropout"}


GRAD = {
    "plain": ("x", Grad.ON),
    "with": ("with torch.no_grad():\n    x", Grad.OFF),
    "inference": ("with torch.inference_mode():\n    x", Grad.OFF),
    "inference off": ("with torch.inference_mode(False):\n    x", Grad.ON),
    "inner enable": ("with torch.no_grad():\n    with torch.enable_grad():\n        x", Grad.ON),
    "flag": ("with torch.set_grad_enabled(train):\n    x", Grad.UNKNOWN),
    "flag known": ("with torch.set_grad_enabled(False):\n    x", Grad.OFF),
    "thrown": ("torch.set_grad_enabled(False)\nx", Grad.OFF),
    "decorator": ("@torch.no_grad()\ndef f():\n    x", Grad.OFF),
    "caller": ("def f():\n    x\nwith torch.no_grad():\n    f()", Grad.OFF),
    "callers differ": ("def f():\n    x\nf()\nwith torch.no_grad():\n    f()", Grad.UNKNOWN),
    "somebody's own": ("with self.ema_no_grad():\n    x", Grad.OFF),
    "unknown context": ("with ctx:\n    x", Grad.UNKNOWN),
}


@pytest.mark.parametrize(("text", "wanted"), GRAD.values(), ids=GRAD)
def test_grad_mode_at_a_call(text: str, wanted: Grad) -> None:
    code = read(f"import torch\n{text}")
    assert code.modes.grad_at(last_expression(code, "x")) is wanted


MODES = {
    "never": ("m(x)", ""),
    "eval": ("m.eval()\nm(x)", "eval"),
    "train after eval": ("m.eval()\nm.train()\nm(x)", "train"),
    "train(False)": ("m.train(False)\nm(x)", "eval"),
    "by flag": ("m.train(flag)\nm(x)", "mixed"),
    "the caller": ("def f(net):\n    net(x)\nm.eval()\nf(m)", "eval"),
    "callers differ": ("def f(net):\n    net(x)\nf(m)\nm.eval()\nf(m)", "mixed"),
    "last round of a loop": ("for e in r:\n    m(x)\n    m.eval()", "mixed"),
}


@pytest.mark.parametrize(("text", "wanted"), MODES.values(), ids=MODES)
def test_training_mode_at_a_call(text: str, wanted: str) -> None:
    code = read(f"import torch\nm = torch.nn.Linear(1, 1)\n{text}")
    (call,) = [c for c in code.of(ast.Call) if ast.unparse(c) in ("m(x)", "net(x)")]
    assert code.modes.mode_at(call.func, call) == wanted


LOOP = """
import torch
from helpers import update
model = torch.nn.Linear(1, 1)
criterion = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
scaler = torch.amp.GradScaler()
for epoch in range(3):
    for x, y in loader:
        loss = criterion(model(x), y)
        update(loss, optimizer, scaler)
    scheduler.step()
"""
HELPER = """
import torch
def update(loss, optimizer, scaler):
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1.0)
    scaler.step(optimizer)
    scaler.update()
"""


def test_training_loop_is_followed_into_another_file(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(HELPER)
    (tmp_path / "main.py").write_text(LOOP)
    code = Project(tmp_path).read(tmp_path / "main.py")
    assert isinstance(code, Code)
    (loop,) = code.loops.training
    acts = [step.act for step in loop.steps]
    assert acts == [
        Act.LOSS,
        Act.FORWARD,
        Act.ZERO_GRAD,
        Act.BACKWARD,
        Act.UNSCALE,
        Act.CLIP,
        Act.STEP,
    ]
    assert {Path(step.tree.path).name for step in loop.all(Act.BACKWARD)} == {"helpers.py"}


def test_re_exports_and_callers_in_other_files(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("from .nets import Net\nfrom torch import nn\n")
    (package / "nets.py").write_text("from torch import nn\nclass Net(nn.Module):\n    pass\n")
    (package / "use.py").write_text("import torch\ndef use(net):\n    net\n")
    main = tmp_path / "main.py"
    main.write_text(
        "from pkg import Net, nn\nfrom pkg.use import use\nnet = Net()\nfc = nn.Linear(1, 1)\nuse(net)\nfc\n"
    )
    project = Project(tmp_path, files=sorted(tmp_path.rglob("*.py")))
    code, use = project.read(main), project.read(package / "use.py")
    assert isinstance(code, Code)
    assert isinstance(use, Code)
    assert code.relevant, "it imports a file that says torch"
    assert code.types.kind_of(last_expression(code, "net")) is Kind.MODULE
    assert code.types.kind_of(last_expression(code, "fc")) is Kind.MODULE
    assert use.types.kind_of(last_expression(use, "net")) is Kind.MODULE, (
        "its only caller is in main.py"
    )


def test_file_unrelated_to_torch_is_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import os\nx = (  # never closed")
    code = Project(tmp_path).read(tmp_path / "plain.py")
    assert isinstance(code, Code)
    assert not code.relevant


BLIND = {
    "missing": (None, "no such file"),
    "binary": (b"import torch\0", "binary"),
    "undecodable": ("import torch  # \xe9".encode("latin-1"), "decoded"),
    "unknown encoding": (b"# coding: nonsense\nimport torch", "decoded"),
    "unparsable": (b"import torch\nx = (", "parsed"),
    "too deep": (b"import torch\nx = " + b"(" * 5000 + b")" * 5000, "parsed"),
}


@pytest.mark.parametrize(("data", "why"), BLIND.values(), ids=BLIND)
def test_unreadable_file_is_skipped(tmp_path: Path, data: bytes | None, why: str) -> None:
    path = tmp_path / "program.py"
    if data is not None:
        path.write_bytes(data)
    skipped = Project().read(path)
    assert isinstance(skipped, Skipped)
    assert why in skipped.why


def test_positions_are_right_for_other_encodings_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(
        "# coding: latin-1\r\nimport torch\r\ns = 'é'; x = torch.ones(1)\r\n".encode("latin-1")
    )
    code = Project().read(path)
    assert isinstance(code, Code)
    (call,) = code.of(ast.Call)
    assert code.text_of(call) == "torch.ones(1)"
    assert (code.span(call).line, code.span(call).column) == (3, 14)
    assert code.edits.newline == "\r\n"


def test_comment_of_cpp_may_be_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cu"
    path.write_bytes("// \u201cquoted\u201d\n#include <THC/THC.h>\n".encode("cp1252"))
    code = Project().read(path)
    assert isinstance(code, Code)
    assert code.tree.data.endswith(b"#include <THC/THC.h>\n")


def apply_fix(code: Code, fix: Fix) -> str:
    data = code.tree.data
    for edit in sorted(fix.edits, key=lambda e: e.start, reverse=True):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data.decode()


ARGUMENTS = {
    "none": ("f()", "f(n=1)"),
    "one": ("f(a)", "f(a, n=1)"),
    "keyword": ("f(a, p=0.5)", "f(a, p=0.5, n=1)"),
    "trailing comma": ("f(a,)", "f(a, n=1,)"),
    "parenthesized": ("f((a))", "f((a), n=1)"),
    "parenthesized keyword": ("f(p=(0.5))", "f(p=(0.5), n=1)"),
    "over lines": ("f(\n    a,  # note\n)", "f(\n    a, n=1,  # note\n)"),
    "a tuple": ("f((a, b))", "f((a, b), n=1)"),
    "nested call": ("f(g(a)(b))", "f(g(a)(b), n=1)"),
}


@pytest.mark.parametrize(("text", "wanted"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_argument_is_added_to_a_call(text: str, wanted: str) -> None:
    code = read(f"import torch\n{text}\n")
    call = code.of(ast.Call)[0]
    assert (
        apply_fix(code, code.edits.add_argument(call, "n=1", "title"))
        == f"import torch\n{wanted}\n"
    )


def test_wrapping_does_not_change_strings() -> None:
    text = 'import torch\nfor x in y:\n    s = """a\nb"""\n    t = [\n        1,\n    ]\n'
    code = read(text)
    edits = code.edits.wrap(code.of(ast.For)[0], "with torch.no_grad():")
    assert edits is not None
    wanted = (
        "import torch\nwith torch.no_grad():\n    for x in y:\n"
        '        s = """a\nb"""\n        t = [\n            1,\n        ]\n'
    )
    assert apply_fix(code, Fix("wrap", edits)) == wanted


def test_line_with_two_statements_is_not_wrapped() -> None:
    code = read("import torch\nx = 1; y = 2\n")
    assert code.edits.wrap(code.tree.root.body[1], "if x:") is None
    assert code.edits.wrap(code.tree.root.body[2], "if x:") is None


def test_inserted_names_follow_the_imports_of_the_file() -> None:
    code = read("import torch as T\nfrom torch import no_grad\n")
    assert code.edits.qualified_name("torch.no_grad", code.tree.root.body[0]) == "no_grad"
    assert code.edits.qualified_name("torch.ones", code.tree.root.body[0]) == "T.ones"
    assert code.edits.qualified_name("numpy.ones", code.tree.root.body[0]) is None


def test_self_recursive_return_terminates() -> None:
    text = "import torch\n\n\ndef walk(n):\n    return walk(n - 1)\n\n\na, b = walk(3)\nprint(a)\n"
    code = Project().read("walk.py", text)
    assert isinstance(code, Code)
    (given,) = [call.args[0] for call in code.of(ast.Call) if code.text_of(call) == "print(a)"]
    assert code.types.kind_of(given) is Kind.UNKNOWN


def test_long_call_chain_has_no_kind() -> None:
    lines = [f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(500)]
    text = "import torch\n\n" + "\n".join(lines) + "\ny = f0(torch.ones(3))\nprint(y)\n"
    code = Project().read("far.py", text)
    assert isinstance(code, Code)
    assert [code.types.kind_of(call) for call in code.of(ast.Call)][-1] is Kind.UNKNOWN


def test_recursive_unpacking_has_no_kind() -> None:
    code = read(
        "import torch\n\n\ndef f(n):\n    a, b = f(n)\n    return f(a)\n\n\nx, y = f(3)\nz = x\n"
    )
    names = [n for n in code.of(ast.Name) if n.id == "x" and isinstance(n.ctx, ast.Load)]
    assert code.types.kind_of(names[0]) is Kind.UNKNOWN
