"""Findings of one pitfall that are a warning where the result changes, and a hint elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keng import check, pitfalls
from keng.check.config import Configs, Settings
from keng.check.rules import Rules
from keng.cli.main import main

EVERY = list(pitfalls.every())
BLOCK = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.norm1 = nn.LayerNorm(4)
        self.{name} = nn.{layer}

    def forward(self, x):
        return self.norm1({forward})
"""
LOADED = """
import torch
from torch import nn

model = nn.Linear(2, 1)
device = "cuda" if torch.cuda.is_available() else "cpu"
state = torch.load("weights.pt")
model.load_state_dict(state)
{then}
"""
TRAINED = "model(torch.ones(1, 2)).sum().backward()"
RESUMED = "torch.optim.SGD(model.parameters(), lr=1.0).load_state_dict(state)"
LAYER = """
from torch import nn

class Conv(nn.Module):
    def __init__(self, width, bias=True):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, bias=False)

    def forward(self, x):
        return self.conv(x)

Conv(4{given})
"""
WINDOWS = """
import torch
from torch.utils.data import DataLoader, Dataset

class Windows(Dataset):
    def __init__(self, values, past):
        self.items = []
        for start in range(len(values) - past):
            self.items.append({item})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return torch.tensor(self.items[index])

loader = DataLoader(Windows([0.5] * 100, 10), num_workers=2)
"""


def levels_of(pitfall: str, suspicious: bool = False) -> list[str]:
    asked = Settings(select=("all",), suspicious=suspicious)
    terms = check.Terms(Rules(EVERY, asked, Configs(EVERY)))
    result = check.counted(check.run(["."], EVERY, terms=terms))
    assert not result.skipped
    return [f.severity for f in result.findings if f.pitfall == pitfall]


@pytest.fixture(autouse=True)
def _project_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "layer", "forward", "level"),
    [
        ("drop", "Dropout(p)", "x", "warning"),  # the caller's rate has no effect
        ("drop", "Dropout(0.1)", "x", "hint"),
        ("norm2", "LayerNorm(4)", "self.norm1(x)", "warning"),  # its sibling is used twice
        ("norm2", "LayerNorm(4)", "x", "hint"),
        ("head", "Linear(4, 4)", "x", "hint"),
        ("norm2", "LayerNorm(8)", "self.norm1(x)", "hint"),  # made in another way
        ("drop", "Dropout(0.1 + p)", "x", "warning"),
    ],
)
def test_level_of_an_unused_layer(name: str, layer: str, forward: str, level: str) -> None:
    Path("a.py").write_text(BLOCK.format(name=name, layer=layer, forward=forward))
    assert levels_of("layer-unused") == [level]


@pytest.mark.parametrize(
    ("argument", "calls", "level"),
    [
        ("p", "Block(0.1)", "warning"),
        ("p=0.0", "Block()", "hint"),  # nobody asks for dropout
        ("p=0.0", "Block(0)", "hint"),
        ("p=0.0", "Block(0.2)", "warning"),
        ("p=0.1", "Block()", "warning"),
    ],
)
def test_unused_dropout_with_a_passed_rate(argument: str, calls: str, level: str) -> None:
    block = BLOCK.format(name="drop", layer="Dropout(p)", forward="x")
    Path("a.py").write_text(f"{block.replace('self, p', f'self, {argument}')}\n{calls}\n")
    assert levels_of("layer-unused") == [level]


@pytest.mark.parametrize("then", ["model.eval()", TRAINED, RESUMED, "model.cuda()"])
def test_loaded_state_is_a_hint_on_one_machine(then: str) -> None:
    """Of 22 such findings in code that nobody had read, 16 were petty: the load itself says what is wrong."""
    Path("a.py").write_text(LOADED.format(then=then))
    assert levels_of("map-location-missing") == ["hint"]


STRICT = """
import torch
from torch import nn

model, other = nn.Linear(4, 2), nn.Linear(4, 2)
state = {state}
model.load_state_dict(state, strict=False)
"""


@pytest.mark.parametrize(
    ("state", "level"),
    [("torch.load('weights.pt')", "warning"), ("other.state_dict()", "hint")],
)
def test_strict_false_with_a_file_and_with_another_model(state: str, level: str) -> None:
    Path("a.py").write_text(STRICT.format(state=state))
    assert levels_of("strict-false-hides") == [level]


@pytest.mark.parametrize(("given", "level"), [("", "hint"), (", bias=True", "warning")])
def test_level_of_an_ignored_layer_argument(given: str, level: str) -> None:
    Path("a.py").write_text(LAYER.format(given=given))
    assert levels_of("argument-ignored") == [level]


@pytest.mark.parametrize(
    ("item", "count"), [("list(values[start : start + past])", 1), ("values[start]", 0)]
)
def test_list_for_each_window_is_suspicious(item: str, count: int) -> None:
    Path("a.py").write_text(WINDOWS.format(item=item))
    assert levels_of("dataset-python-objects-grow") == []
    assert len(levels_of("dataset-python-objects-grow", suspicious=True)) == count


VALIDATED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.ones(8, 4), torch.ones(8, 4)), batch_size=2)
for x, y in loader:
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()


def validate(loader):
    model.eval()
    total, outputs = 0, []
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        {kept}
    return total, outputs


validate(loader)
"""


@pytest.mark.parametrize(
    ("kept", "level"),
    [
        ("total += loss", "warning"),  # the graphs of all batches
        ("outputs.append(out)", "warning"),
        ("outputs.append((out, y))", "warning"),
        ("outputs.append(loss * 2)", "warning"),
        ("total += loss.item()", "hint"),
        ("outputs.append(out.detach())", "hint"),
        ("outputs.append(out.argmax(1))", "hint"),
        ("outputs.append(y)", "hint"),
        ("outputs = []; outputs.append(out)", "hint"),  # another list in each round
    ],
)
def test_level_of_evaluation_with_gradients(kept: str, level: str) -> None:
    Path("a.py").write_text(VALIDATED.format(kept=kept))
    assert levels_of("validation-records-gradients") == [level]


@pytest.mark.parametrize(
    ("call", "level"),
    [
        ("F.softmax(torch.ones(2, 3, 4))", "warning"),  # along the first dimension
        ("F.log_softmax(torch.ones(6, 4).view(2, 3, 4))", "warning"),
        ("nn.Softmax()(torch.ones(2, 3, 4))", "warning"),
        ("F.softmax(torch.ones(2, 3))", "hint"),
        ("F.softmax(torch.ones(3))", "hint"),
        ("F.softmax(torch.ones(2, 3, 4, 4))", "hint"),
        ("F.softmax(unknown)", "hint"),
        ("nn.Softmax()", "hint"),
    ],
)
def test_level_of_softmax_without_dim(call: str, level: str) -> None:
    lines = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
    Path("a.py").write_text(f"{lines}probabilities = {call}\n")
    assert levels_of("softmax-dim-missing") == [level]


PICKLED = """
import torch
from torch import nn

model = nn.Linear(2, 1)
torch.save(model, "model.pt")
{then}
"""


@pytest.mark.parametrize(
    ("then", "level"),
    [
        ("net = torch.load('model.pt')\nnet.eval()", "warning"),
        ("net = torch.load('model.pt').cuda()", "warning"),
        ("net = torch.load('model.pt', weights_only=False)\nnet.eval()", "hint"),
        ("data = torch.load('data.pt')\nprint(data)", "hint"),
        ("", "hint"),
    ],
)
def test_level_of_a_pickled_model(then: str, level: str) -> None:
    Path("a.py").write_text(PICKLED.format(then=then))
    assert levels_of("whole-model-pickled") == [level]


def test_pickled_model_in_a_project_with_older_torch() -> None:
    Path("a.py").write_text(PICKLED.format(then="net = torch.load('model.pt')\nnet.eval()"))
    Path("requirements.txt").write_text("torch<2.6\n")
    assert levels_of("whole-model-pickled") == ["hint"]


NETWORK = """
import torch
from torch import nn

class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.position = nn.Parameter(torch.zeros(4))
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        y = self.body(x)
        {lines}
        return y
"""


@pytest.mark.parametrize(
    ("lines", "level"),
    [
        ("z = y + self.position", "warning"),  # the parameter has no effect
        ("z = y + self.position\n        z = self.drop(z)", "warning"),
        ("y_scaled = y / 2", "warning"),  # `y` is used in its place
        ("y_mean = y / 2", "hint"),  # a number that was printed once
        ("y = y * 2; z = self.drop(x)", "hint"),  # nothing goes on from `x`
        ("z = y * 2", "hint"),
        ("z = torch.exp(x)", "hint"),
    ],
)
def test_unused_value_is_a_hint(lines: str, level: str) -> None:
    Path("a.py").write_text(NETWORK.format(lines=lines))
    assert levels_of("value-never-used") == [level]


LOSSES = """
import torch
from torch import nn

criterion = nn.MSELoss()

def total(x, y, adversarial):
    {lines}
    return loss
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("loss = criterion(x, y)\n    extra_loss = criterion(x, -y)", ["warning"]),
        ("loss = criterion(x, y)\n    loss_sum = criterion(x, y) + x.mean()", ["warning"]),
        ("loss = criterion(x, y)\n    loss_function = nn.L1Loss()", []),  # no loss
        ("loss = criterion(x, y)\n    other_loss = loss.item()", ["hint"]),
        ("loss = x.mean()\n    other_loss = criterion(x, y)\n    print(criterion.weight)", []),
        (
            "loss = criterion(x, y)\n    if adversarial:\n        part_loss = x.mean() + y.mean()\n"
            "    else:\n        part_loss = y.mean()\n        loss = loss + part_loss",
            ["warning"],
        ),
    ],
)
def test_loss_that_is_never_added(lines: str, expected: list[str]) -> None:
    Path("a.py").write_text(LOSSES.format(lines=lines))
    assert levels_of("value-never-used") == expected


IGNORED = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class Layers(nn.Module):
    def __init__(self, width, {argument}):
        super().__init__()
        {made}

    def forward(self, x):
        return self.net(x)

Layers(4, {passed})
"""


@pytest.mark.parametrize(
    ("argument", "made", "passed", "level"),
    [
        ("bias", "self.net = nn.Linear(width, 4, bias=False)", "True", "warning"),
        (
            "padding",
            "self.net = nn.Sequential(nn.Conv2d(width, 4, 1, padding=0), nn.Conv2d(4, 4, 3, 1, 1))",
            "1",
            "hint",  # each layer of several has its own
        ),
        ("dim=1", "self.dim = 1\n        self.net = nn.Linear(width, 4)", "", "hint"),
        ("dim=1", "self.dim = 1\n        self.net = nn.Linear(width, 4)", "2", "warning"),
        ("dim=1", "self.dim = 1\n        self.net = nn.Linear(width, 4)", "1", "hint"),
        ("dim=2", "self.dim = 1\n        self.net = nn.Linear(width, 4)", "", "warning"),
    ],
)
def test_ignored_argument_is_a_warning_if_passed(
    argument: str, made: str, passed: str, level: str
) -> None:
    Path("a.py").write_text(IGNORED.format(argument=argument, made=made, passed=passed))
    assert levels_of("argument-ignored") == [level]


@pytest.mark.parametrize(("name", "level"), [("validate", "hint"), ("fit", "warning")])
def test_ignored_batch_size(name: str, level: str) -> None:
    Path("a.py").write_text(
        "from torch.utils.data import DataLoader\n\n"
        f"def {name}(data, batch_size):\n    return DataLoader(data, batch_size=4)\n\n"
        f"{name}([1], 8)\n"
    )
    assert levels_of("argument-ignored") == [level]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("state = torch.load('a.pt')", ["warning"]),
        ("state = torch.load('a.pt')\n    # only the encoder is there", []),
        ("# encoders are usually pretrained\n    state = torch.load('a.pt')", ["hint"]),
        ("state = lora_state = torch.load('a.pt')", ["warning"]),
        ("if pretrained:\n      state = torch.load('a.pt')", ["warning"]),
    ],
)
def test_level_of_a_partly_loaded_state(before: str, expected: list[str]) -> None:
    lines = "import torch\nfrom torch import nn\n\nmodel = nn.Linear(2, 1)\n\n"
    call = "    model.load_state_dict(state, strict=False)\n"
    Path("a.py").write_text(f"{lines}def load(pretrained):\n    {before}\n{call}")
    assert levels_of("strict-false-hides") == expected


@pytest.mark.parametrize(
    ("function", "state", "expected"),
    [
        ("load", "state", ["warning"]),
        ("load", "lora_state", []),
        ("load_pretrained", "state", ["hint"]),
    ],
)
def test_intentionally_partial_state_is_lowered(
    function: str, state: str, expected: list[str]
) -> None:
    Path("a.py").write_text(
        "import torch\nfrom torch import nn\n\nmodel = nn.Linear(2, 1)\n\n"
        f"def {function}():\n    {state} = torch.load('a.pt')\n"
        f"    model.load_state_dict({state}, strict=False)\n"
    )
    assert levels_of("strict-false-hides") == expected


TIMED = """
import time
import torch

x = torch.ones(2, 2).cuda()
times = []
for epoch in range(3):
    start = time.time()
    y = torch.matmul(x, x)
    spent = time.time() - start
    {then}
"""


@pytest.mark.parametrize(
    ("then", "level"),
    [
        ("print(f'epoch {epoch}: {spent}')", "hint"),
        ("times.append(spent)", "warning"),
        ("print(spent); times.append(spent)", "warning"),
    ],
)
def test_printed_time_is_a_hint(then: str, level: str) -> None:
    Path("a.py").write_text(TIMED.replace("{then}", then))
    assert levels_of("timing-without-sync") == [level]


@pytest.mark.parametrize(
    ("test", "expected"), [("flag", ["warning"]), ("hasattr(x, 'mean')", ["hint"])]
)
def test_level_of_a_name_set_in_one_branch(test: str, expected: list[str]) -> None:
    Path("a.py").write_text(
        f"import torch\n\ndef f(x, flag):\n    if {test}:\n        mean = x.mean()\n    return mean\n"
    )
    assert levels_of("name-set-in-one-branch") == expected


@pytest.mark.parametrize(
    ("then", "level"), [("", "hint"), ("nn.Linear(2, 1).load_state_dict({})", "warning")]
)
def test_level_of_a_wrapper_prefix(then: str, level: str) -> None:
    Path("a.py").write_text(
        "import torch\nfrom torch import nn\n\nmodel = nn.DataParallel(nn.Linear(2, 1))\n"
        f"torch.save(model.state_dict(), 'a.pt')\n{then}\n"
    )
    assert levels_of("state-prefix") == [level]


def test_hints_are_counted_and_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(PICKLED.format(then=""))
    Path("b.py").write_text(PICKLED.format(then="model.weight.cpu()"))
    assert main(["check", "--output-format", "concise"]) == 1
    out = capsys.readouterr().out
    assert "whole-model-pickled" not in out
    assert "2 hints are not shown: `keng check --hints`" in out
    assert main(["check", "--hints", "--output-format", "concise"]) == 1
    out = capsys.readouterr().out
    assert out.count("hint whole-model-pickled") == 2
    assert "not shown" not in out


def test_hints_do_not_change_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(PICKLED.format(then=""))
    assert main(["check"]) == 0
    assert "1 hint is not shown" in capsys.readouterr().out
    Path("keng.toml").write_text("hints = true\n")
    assert main(["check"]) == 1
    assert "hint whole-model-pickled" in capsys.readouterr().out


def test_json_counts_hints_and_keeps_their_level(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(PICKLED.format(then=""))
    main(["check", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["findings"], told["hints"]) == ([], 1)
    main(["check", "--json", "--hints"])
    told = json.loads(capsys.readouterr().out)
    assert [f["severity"] for f in told["findings"]] == ["hint"]
    assert told["hints"] == 0
    main(["check", "--output-format", "sarif", "--hints"])
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [each["level"] for each in results] == ["note"]


@pytest.mark.parametrize(
    ("made", "given", "level"),
    [
        ("x = torch.arange(3)", "x.required_grad = False", "hint"),  # it asks for none anyway
        ("y, x = torch.meshgrid(torch.ones(2), torch.ones(3))", "x.required_grad = False", "hint"),
        ("x = torch.ones(3)", "x.required_grad = True", "error"),
        ("x = torch.nn.Parameter(torch.ones(3))", "x.required_grad = False", "error"),
        ("net = torch.nn.Linear(2, 1)", "net.weight.required_grad = False", "error"),
    ],
)
def test_level_of_a_misspelled_requires_grad(made: str, given: str, level: str) -> None:
    Path("a.py").write_text(f"import torch\n\n{made}\n{given}\n")
    assert levels_of("require-grad-typo") == [level]


@pytest.mark.parametrize(("more", "level"), [("", "warning"), (", requires_grad=True", "hint")])
def test_level_of_tensor_of_a_tensor(more: str, level: str) -> None:
    Path("a.py").write_text(f"import torch\n\nx = torch.ones(3)\ny = torch.tensor(x{more})\n")
    assert levels_of("tensor-copied-by-constructor") == [level]


@pytest.mark.parametrize(
    ("device", "expected"),
    [("", ["error"]), (', device="cuda"', []), (', device="cpu"', ["error"])],
)
def test_discarded_move_to_the_same_device_is_not_reported(
    device: str, expected: list[str]
) -> None:
    Path("a.py").write_text(f"import torch\n\nx = torch.ones(3{device})\nx.cuda()\nprint(x)\n")
    assert levels_of("tensor-move-discarded") == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [("", []), ("setup(0)", ["error"]), ("torch.multiprocessing.spawn(setup)", ["error"])],
)
def test_distributed_calls_without_setup(start: str, expected: list[str]) -> None:
    Path("a.py").write_text(
        "import torch\nimport torch.distributed as dist\n\n\ndef setup(rank):\n"
        "    dist.init_process_group('gloo', rank=rank)\n\n\n"
        f"{start}\ntorch.save(torch.ones(3), 'a.pt')\n"
    )
    assert levels_of("saved-on-every-rank") == expected


def test_flag_without_effect_is_reported_once() -> None:
    Path("a.py").write_text(
        "import torch\nfrom torch.autograd import Variable\n\nx, y = torch.ones(1), torch.ones(1)\n"
        "x, y = Variable(x, volatile=True), Variable(y, volatile=True)\n"
    )
    assert levels_of("variable-api") == ["warning"]


NOT_PASSED = """
from torch import nn


def make(width, depth=1):
    return nn.Sequential(*[nn.Linear(width, width)] * depth)


def build(width, depth=1):
    return nn.Sequential(make(width), nn.ReLU())


build(4{given})
"""


@pytest.mark.parametrize(
    ("given", "level"), [("", "hint"), (", depth=1", "hint"), (", depth=3", "warning")]
)
def test_argument_that_is_not_passed_on(given: str, level: str) -> None:
    Path("a.py").write_text(NOT_PASSED.format(given=given))
    assert levels_of("argument-ignored") == [level]


LOGARITHM = """
import torch
from torch import nn

net = nn.Linear(3, 1)


def entropy_loss(x, similarity):
    logits = net(x)
    return torch.log(1 + torch.exp({exponent})).mean()
"""


@pytest.mark.parametrize(
    ("exponent", "level"), [("-logits", "warning"), ("40 * (similarity - 0.5)", "hint")]
)
def test_exponent_of_a_layer_or_of_what_may_be_bounded(exponent: str, level: str) -> None:
    Path("a.py").write_text(LOGARITHM.format(exponent=exponent))
    assert levels_of("unstable-log") == [level]


HANDED_ON = """
import torch


class Filter:
    def filtering(self, x):
        self.kept = x[x > 0]

    def detection(self, x):
        result = self.filtering(x)
        return result


{then}
"""


@pytest.mark.parametrize(
    ("then", "level"),
    [
        ("Filter().detection(torch.ones(2))", "hint"),
        ("found = Filter().detection(torch.ones(2))", "hint"),
        ("found = Filter().detection(torch.ones(2))\nprint(len(found))", "warning"),
    ],
)
def test_nothing_that_is_handed_to_callers(then: str, level: str) -> None:
    Path("a.py").write_text(HANDED_ON.format(then=then))
    assert levels_of("result-lost") == [level]


def test_copied_tensor_of_numbers_is_a_hint() -> None:
    Path("a.py").write_text(
        "import torch\nx = torch.ones(3)\ny = torch.tensor(torch.tensor([1.0]) * 2)\n"
    )
    assert levels_of("tensor-copied-by-constructor") == ["hint"]


@pytest.mark.parametrize(
    ("test", "level"), [("args.scaled", "hint"), ("SCALED", "warning"), ("scaled", "warning")]
)
def test_name_that_a_setting_decides(test: str, level: str) -> None:
    Path("a.py").write_text(
        f"import torch\nfrom config import SCALED\n\ndef main(args, scaled):\n    if {test}:\n"
        "        scale = torch.ones(1)\n    return scale * 2\n"
    )
    assert levels_of("name-set-in-one-branch") == [level]


UNUSED = """
import torch

class Moved:
    def move(self, x: torch.Tensor):
        x.cpu()
        return x
"""
USES = "import torch\nfrom parts import Moved\n\nMoved().move(torch.ones(3))\n"
IMPORTS = "import torch\nimport parts\n\nprint(torch.ones(3))\n"


@pytest.mark.parametrize(
    ("main", "installed", "level"),
    [
        (USES, False, "error"),
        (IMPORTS, False, "hint"),
        (IMPORTS, True, "error"),  # those who install it may use it
        ("import torch\n", False, "error"),  # it may be imported by its name
    ],
)
def test_class_that_nothing_uses(main: str, installed: bool, level: str) -> None:
    Path("parts.py").write_text(UNUSED)
    Path("main.py").write_text(main)
    if installed:
        Path("setup.py").write_text("import setuptools\n")
    assert levels_of("tensor-move-discarded") == [level]


def test_file_that_was_put_away_is_one_level_lower() -> None:
    Path("archive").mkdir()
    Path("archive/old.py").write_text("import torch\nx = torch.ones(3)\nx.cpu()\n")
    assert levels_of("tensor-move-discarded") == ["warning"]


STEPPED = """
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for x in torch.ones(8, 2, 4):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
    {then}
"""


@pytest.mark.parametrize(("then", "level"), [("pass", "warning"), ("# scheduler.step()", "hint")])
def test_scheduler_whose_step_is_a_comment(then: str, level: str) -> None:
    Path("a.py").write_text(STEPPED.format(then=then))
    assert levels_of("scheduler-never-stepped") == [level]
