"""What messages about devices, memory and indices say in the words of their own numbers and names."""

from __future__ import annotations

import linecache
from pathlib import Path

import pytest

from keng.explain.engine import explain_live, explain_text

OLD = (
    "RuntimeError: CUDA out of memory. Tried to allocate {} (GPU 0; {} total capacity; {} already "
    "allocated; {} free; {} reserved in total by PyTorch)"
)
MEMORY = {
    "never fit": ("55.57 GiB", "12.00 GiB", "1.00 GiB", "9.00 GiB", "1.50 GiB"),
    "other processes hold 21.34 of 24 GiB": (
        *("1.00 GiB", "24.00 GiB", "2.00 GiB", "64.00 MiB", "2.10 GiB"),
    ),
    "10 GiB are reserved but idle": (
        *("2.00 GiB", "24.00 GiB", "12.00 GiB", "1.00 GiB", "22.00 GiB"),
    ),
    "tensors hold 22 of 24 GiB": ("20.00 MiB", "24.00 GiB", "22.00 GiB", "0 bytes", "22.10 GiB"),
    "20 GiB in one tensor, beside 9 GiB of others": (
        *("20.00 GiB", "24.00 GiB", "9.00 GiB", "14.00 GiB", "9.10 GiB"),
    ),
    "2 GiB are free": ("12.50 MiB", "12.00 GiB", "8.00 GiB", "2.00 GiB", "9.00 GiB"),
}


@pytest.mark.parametrize(("wanted", "numbers"), MEMORY.items(), ids=list(MEMORY))
def test_the_numbers_decide_the_advice(wanted: str, numbers: tuple[str, ...]) -> None:
    best = explain_text(OLD.format(*numbers)).diagnoses[0]
    assert best.pitfall == "cuda-out-of-memory"
    assert wanted in best.hit.says


def said(folder: Path, program: str) -> str:
    path = folder / "program.py"
    path.write_text(program)
    linecache.clearcache()
    try:
        exec(compile(program, str(path), "exec"), {})
    except Exception as error:
        return explain_live(error).diagnoses[0].hit.says
    raise AssertionError("nothing was raised")


def test_the_range_of_the_indices_is_named(tmp_path: Path) -> None:
    words = "from torch import nn, tensor\nwords = nn.Embedding(10, 4)\n"
    assert said(tmp_path, f"{words}words(tensor([1, 12]))") == (
        "`words` has 10 rows, 0 to 9; indices run from 1 to 12 (the first that does not fit at [1]): "
        "num_embeddings=13, or other indices"
    )
    assert "a negative one is no row" in said(tmp_path, f"{words}words(tensor([-1]))")


def test_operands_are_named_with_their_devices(tmp_path: Path) -> None:
    text = "import torch\na, b = torch.ones(3), torch.ones(3, device='meta')\n{}"
    assert said(tmp_path, text.format("c = a + b")).startswith("`a` on cpu and `b` on meta meet")
    layer = "fc = torch.nn.Linear(3, 3, device='meta')\nfc(a)"
    assert said(tmp_path, text.format(layer)) == (
        "the weights of `fc` lie on meta and hold no numbers: to_empty(device='cpu'), then load them"
    )


def test_the_parameter_that_was_left_behind_is_named(tmp_path: Path) -> None:
    text = (
        "import torch\nnet = torch.nn.Sequential(torch.nn.Linear(3, 3))\n"
        "net[0].bias = torch.nn.Parameter(torch.ones(3, device='meta'))\nnet(torch.ones(2, 3))"
    )
    assert said(tmp_path, text) == (
        "`net.0.bias` lies on meta, the rest of `net.0` on cpu: it was not moved along"
    )


def test_operands_are_named_with_their_dtypes(tmp_path: Path) -> None:
    text = "import torch\na, b = torch.ones(3, 3), torch.ones(3, 3).double()\nc = a @ b"
    wide = "x.float() for what is float64, as the numbers of NumPy and pandas are"
    assert said(tmp_path, text) == f"`a` is float32 and `b` is float64: {wide}"
    image = "import torch\nconv = torch.nn.Conv2d(1, 1, 1)\nconv(torch.zeros(1, 1, 2, 2).byte())"
    assert said(tmp_path, image).endswith("x.float() / 255 for an image")
