"""An explanation of a text speaks of the user's own names, and gives the fix where the source is there."""

from __future__ import annotations

import io
from pathlib import Path

from keng import explain

TORCH = "/opt/venv/lib/python3.11/site-packages/torch"


def traceback(program: Path, line: int, code: str, below: list[str], message: str) -> str:
    frames = "".join(f'  File "{TORCH}/{path}", line 100, in forward\n    f(x)\n' for path in below)
    return (
        f'Traceback (most recent call last):\n  File "{program}", line {line}, in step\n    {code}\n'
        f"{frames}{message}\n"
    )


NET = """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten())
        self.head = nn.Linear(100, 10)

    def forward(self, image):
        return self.head(self.features(image))
"""


def test_of_two_layers_on_a_line_the_one_that_raised_is_named(tmp_path: Path) -> None:
    program = tmp_path / "net.py"
    program.write_text(NET)
    code = "return self.head(self.features(image))"
    below = ["nn/modules/module.py", "nn/modules/linear.py"]
    message = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x288 and 100x10)"
    text = traceback(program, 10, code, below, message)
    hit = explain.text(text).diagnoses[0].hit
    assert hit.says == "`self.head` takes 100 features, but gets 288: in_features=288"
    assert hit.fix is not None
    assert hit.fix.applied_to(NET.encode()) == NET.replace("(100, 10)", "(288, 10)").encode()
    program.unlink()
    assert explain.text(text).diagnoses[0].hit.says.startswith("the layer takes 100")


def test_the_input_and_the_target_of_a_loss_by_their_names() -> None:
    message = "ValueError: Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))"
    below = ["nn/modules/module.py", "nn/modules/loss.py", "nn/functional.py"]
    code = "loss = criterion(scores, batch.labels)"
    text = traceback(Path("/home/u/train.py"), 5, code, below, message)
    says = explain.text(text).diagnoses[0].hit.says
    assert says.startswith("scores is (4, 1), batch.labels is (4)")
    code = "loss = criterion(net(x), labels)"
    text = traceback(Path("/home/u/train.py"), 5, code, below, message)
    assert explain.text(text).diagnoses[0].hit.says.startswith("the input is (4, 1)")


def test_the_tensor_that_numpy_refuses_by_its_name() -> None:
    message = "RuntimeError: Can't call numpy() on Tensor that requires grad."
    text = traceback(Path("/home/u/train.py"), 5, "curve.append(loss.numpy())", [], message)
    says = explain.text(text).diagnoses[0].hit.says
    assert says == "`loss` records a gradient: loss.detach().numpy()"


def test_a_log_is_cut_at_lines() -> None:
    log = (
        "Traceback (most recent call last):\n"
        f'  File "{TORCH}/nn/functional.py", line 1, in binary_cross_entropy_with_logits\n'
        "    raise ValueError(\nValueError: Target size (torch.Size([4])) must be the same as input "
        "size (torch.Size([4, 1]))\n"
    )
    found = explain.log(io.BytesIO(log.encode()))
    assert [(e.diagnoses[0].pitfall, times) for e, _, times in found] == [
        ("target-size-mismatch", 1)
    ]
