"""What torch and the libraries over it write beside plain state dicts, as they write it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from keng import ckpt
from keng.ckpt.states import tensors_of
from keng.ckpt.verdict import judge
from keng.faces.cli import main
from keng.stored import dotted


def told(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["ckpt", *map(str, args)])
    done = capsys.readouterr()
    return code, done.out + done.err


def test_two_numbers_in_a_byte_are_one_element(tmp_path: Path) -> None:
    """Which safetensors counts as two."""
    pairs = torch.arange(12, dtype=torch.uint8).view(torch.float4_e2m1fn_x2).reshape(3, 4)
    save_file({"x": pairs}, tmp_path / "x.safetensors")
    (found,) = ckpt.read(str(tmp_path / "x.safetensors")).tensors.values()
    assert found.shape == (3, 4)
    assert main(["ckpt", "verify", str(tmp_path / "x.safetensors")]) == 0
    assert (
        main(["ckpt", "convert", str(tmp_path / "x.safetensors"), str(tmp_path / "x.pt")])
        == main(["ckpt", "convert", str(tmp_path / "x.pt"), str(tmp_path / "y.safetensors")])
        == 0
    )
    for back in (torch.load(tmp_path / "x.pt"), load_file(tmp_path / "y.safetensors")):
        assert back["x"].shape == (3, 4)
        assert bytes(back["x"].view(torch.uint8).flatten().tolist()) == bytes(range(12))


@pytest.mark.filterwarnings("ignore")
def test_quantized_numbers_share_bytes(tmp_path: Path, capsys: Any) -> None:
    scales, points = torch.ones(3), torch.zeros(3)
    four = torch.quantize_per_channel(torch.ones(3, 4), scales, points, 0, torch.quint4x2)
    torch.save({"x": four}, tmp_path / "x.pt")
    assert told(capsys, "verify", tmp_path / "x.pt")[0] == 0
    assert told(capsys, "diff", tmp_path / "x.pt", tmp_path / "x.pt")[0] == 0
    told(capsys, "convert", tmp_path / "x.pt", tmp_path / "y.pt")
    assert torch.equal(torch.load(tmp_path / "y.pt")["x"].int_repr(), four.int_repr())


def test_arrays_of_texts_are_compared(tmp_path: Path, capsys: Any) -> None:
    for name, text in {"a": "one", "b": "one", "c": "two"}.items():
        numpy.savez(tmp_path / f"{name}.npz", x=numpy.ones(3), names=numpy.array([text]))
    same = told(capsys, "diff", tmp_path / "a.npz", tmp_path / "b.npz")
    assert same[0] == 0, same
    code, says = told(capsys, "diff", tmp_path / "a.npz", tmp_path / "c.npz")
    assert code == 1
    assert "other values (1): names" in says


def test_storages_are_compared(tmp_path: Path, capsys: Any) -> None:
    for name, value in {"a": 1.0, "b": 1.0, "c": 2.0}.items():
        torch.save({"x": torch.full((3,), value).untyped_storage()}, tmp_path / f"{name}.pt")
    same = told(capsys, "diff", tmp_path / "a.pt", tmp_path / "b.pt")
    assert same[0] == 0, same
    code, says = told(capsys, "diff", tmp_path / "a.pt", tmp_path / "c.pt")
    assert code == 1
    assert "object at" not in says


def test_machine_code_of_aotinductor_is_not_inert(tmp_path: Path, capsys: Any) -> None:
    with zipfile.ZipFile(tmp_path / "x.pt2", "w") as archive:
        archive.writestr("x/data/aotinductor/model/cv5.wrapper.cpp", "int main() {}")
        archive.writestr("x/data/aotinductor/model/cv5.wrapper.so", b"\x7fELF")
        archive.writestr("x/archive_format", "pt2")
    code, says = told(capsys, "scan", tmp_path / "x.pt2")
    assert (code, "cv5.wrapper.so" in says) == (2, True)
    assert "machine code" in told(capsys, "show", tmp_path / "x.pt2")[1]


def test_a_package_of_torch_is_named(tmp_path: Path, capsys: Any) -> None:
    with torch.package.PackageExporter(tmp_path / "x.pt") as package:
        package.extern("**")
        package.save_pickle("model", "model.pkl", nn.Linear(2, 2))
    code, says = told(capsys, "show", tmp_path / "x.pt")
    assert code == 2
    assert "PackageImporter" in says
    assert "salvage" not in says
    assert "weights_only" not in says


def test_a_traced_module_has_the_names_of_its_state_dict(tmp_path: Path, capsys: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    torch.save(torch.fx.symbolic_trace(net), tmp_path / "x.pt")
    found = ckpt.read(str(tmp_path / "x.pt"))
    assert {dotted(path) for path in found.tensors} == set(net.state_dict())
    assert tensors_of(found.root).keys() == net.state_dict().keys()
    assert judge(found).word == "DANGEROUS"  # its program is run
    assert told(capsys, "show", tmp_path / "x.pt")[1].count("holds a whole") == 1


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_activations_of_layers_are_known(activation: str, tmp_path: Path) -> None:
    torch.save(nn.TransformerEncoderLayer(8, 2, activation=activation), tmp_path / "x.pt")
    assert judge(ckpt.read(str(tmp_path / "x.pt"))).word == "KNOWN"
