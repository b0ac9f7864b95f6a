"""keng.toolbox on inputs that are seldom thought of: empty, nested, complex, in half precision, in other
memory formats, tied."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

import keng.toolbox as toolbox

LAST = torch.channels_last


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.head = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.embedding(tokens))  # type: ignore[no-any-return]


class Inside(nn.Module):
    """All that it has is in a part that is called as wrappers call theirs."""

    def __init__(self) -> None:
        super().__init__()
        self.module = nn.Linear(2, 2)


# Batches and means


def test_containers_of_every_kind_move() -> None:
    batch = {"views": MappingProxyType({"a": torch.ones(2)}), "masks": {torch.ones(1)}}
    moved = toolbox.move_to(batch, "meta")
    assert isinstance(moved["views"], MappingProxyType)
    assert moved["views"]["a"].is_meta  # type: ignore[index]
    assert all(mask.is_meta for mask in moved["masks"])
    assert toolbox.move_to(Tensor, "meta") is Tensor
    ragged = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)
    assert toolbox.move_to(ragged, "cpu").is_nested
    pictures = torch.ones(2, 3, 4, 4).to(memory_format=LAST)
    assert toolbox.move_to(pictures, "meta").is_contiguous(memory_format=LAST)
    with pytest.raises(RuntimeError, match="device string: gpu"):
        toolbox.move_to(pictures, "gpu")


def test_means_of_complex_and_of_empty_tensors() -> None:
    waves = torch.tensor([[1 + 2j, 3j]])
    assert torch.equal(toolbox.reduce_mean(waves.t()), waves.t())
    assert toolbox.reduce_mean(torch.empty(0)).numel() == 0
    with pytest.raises(TypeError, match="not float"):
        toolbox.reduce_mean(3.0)  # type: ignore[arg-type]
    meter = toolbox.Meter()
    with pytest.raises(ValueError, match="complex64"):
        meter.update(waves[0, 0])
    with pytest.raises(TypeError, match="real number"):
        meter.update(1 + 2j)  # type: ignore[arg-type]


def test_matrices_of_other_numbers() -> None:
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        assert toolbox.affine_theta(torch.eye(2, 3, dtype=dtype), (4, 4), (4, 4)).dtype == dtype
    whole = torch.eye(2, 3, dtype=torch.uint8)
    assert toolbox.affine_theta(whole, (4, 4), (4, 4)).dtype == torch.float32
    assert toolbox.affine_theta(torch.empty(0, 2, 3), (4, 4), (4, 4)).shape == (0, 2, 3)
    transposed = toolbox.affine_theta(torch.eye(3, 2).t(), (4, 4), (4, 4))
    assert torch.equal(transposed, torch.eye(2, 3))
    with pytest.raises(ValueError, match="a real matrix"):
        toolbox.affine_theta(torch.eye(2, 3) * 1j, (4, 4), (4, 4))
    with pytest.raises(TypeError, match="as an integer"):
        toolbox.affine_theta(torch.eye(2, 3), (4.5, 4), (4, 4))  # type: ignore[arg-type]


# Models


def test_failed_freezing_changes_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer torch deprecates it
        scripted = torch.jit.script(nn.Linear(2, 2))  # type: ignore[no-untyped-call]
    model = nn.Sequential(nn.Linear(2, 2), scripted)
    model[0].weight.grad = torch.ones(2, 2)
    with pytest.raises(RuntimeError, match="not supported on ScriptModules"):
        toolbox.freeze(model)
    assert all(parameter.requires_grad for parameter in model.parameters())
    assert model[0].weight.grad is not None
    assert model[0].training
    assert not model._forward_pre_hooks
    with pytest.raises(ValueError, match="uninitialized"):
        toolbox.freeze(nn.LazyLinear(2))


def test_tied_weights_are_frozen_and_counted_once() -> None:
    model = Tied()
    frozen = toolbox.freeze(model)
    assert not model.head.weight.requires_grad
    frozen.remove()
    assert model.embedding.weight.requires_grad
    assert toolbox.count_cost(model, torch.tensor([1])).total.parameters == 20


def test_part_named_module_is_not_a_wrapper() -> None:
    saved = Inside().state_dict()
    model = Inside()
    assert toolbox.load_matching(model, saved).loaded == ["module.weight", "module.bias"]
    assert torch.equal(model.module.weight, saved["module.weight"])
    wrapped = {f"module.{name}": value for name, value in saved.items()}
    assert len(toolbox.load_matching(model, wrapped).loaded) == 2


def test_loads_without_effect_are_refused() -> None:
    state = nn.Linear(2, 2).state_dict()
    with pytest.raises(ValueError, match="on `meta`"):
        toolbox.load_matching(nn.Linear(2, 2, device="meta"), state)
    with pytest.raises(TypeError, match="`weight` is complex"):
        toolbox.load_matching(nn.Linear(2, 2), {"weight": state["weight"] * 1j})
    half = {name: value.bfloat16() for name, value in state.items()}
    model = nn.Linear(2, 2)
    toolbox.load_matching(model, half)
    assert model.weight.dtype == torch.float32


def test_adapted_layers_keep_dtype_and_memory_format() -> None:
    layer = nn.Conv2d(3, 4, 3, dtype=torch.bfloat16).to(memory_format=LAST)  # type: ignore[call-overload]
    wider = toolbox.adapt_channels(layer, inputs=5)
    assert wider.weight.dtype == torch.bfloat16
    assert wider.weight.is_contiguous(memory_format=LAST)
    assert torch.equal(wider.weight[:, :3], layer.weight)
    assert toolbox.adapt_channels(nn.Linear(3, 4), inputs=5).weight.is_contiguous()
    compiled: Any = torch.compile(nn.Linear(2, 2), backend="eager")
    with pytest.raises(TypeError, match="OptimizedModule has no channels"):
        toolbox.adapt_channels(compiled, inputs=3)


def test_weights_in_any_format_and_dtype_are_pruned() -> None:
    convolved = nn.Conv2d(3, 4, 3).to(memory_format=LAST)  # type: ignore[call-overload]
    model = nn.Sequential(convolved, nn.Linear(4, 4, dtype=torch.bfloat16))
    largest = convolved.weight.abs().max()
    weight = convolved.weight
    pruned = toolbox.prune_global(model, 0.5)
    assert (pruned.zeros, pruned.total) == (62, 124)
    assert convolved.weight is weight
    assert weight.is_contiguous(memory_format=LAST)
    assert weight.abs().max() == largest
    assert list(toolbox.prune_global(Tied(), 0.5).layers) == ["head"]


def test_channels_without_weights_carry_nothing() -> None:
    (empty,) = toolbox.channel_report({"c.weight": torch.zeros(2, 0, 3, 3)})
    assert empty.near_zero == (0, 1)
    (none,) = toolbox.channel_report({"c.weight": torch.zeros(0, 3, 3, 3)})
    assert none.kept == []
    (broken,) = toolbox.channel_report({"c.weight": torch.full((1, 1, 3, 3), torch.nan)})
    assert broken.near_zero == ()


def test_counting_leaves_the_inputs_as_they_are() -> None:
    x = -torch.ones(2, 4)
    toolbox.count_cost(nn.ReLU(inplace=True), x)
    assert torch.equal(x, -torch.ones(2, 4))


def test_pictures_in_other_formats_and_of_no_number() -> None:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(144, 5))
    x, y = torch.rand(2, 3, 8, 8), torch.tensor([0, 1])
    shown = toolbox.saliency(model, x, y)
    assert torch.equal(toolbox.saliency(model, x.to(memory_format=LAST), y), shown)
    assert toolbox.saliency(model.bfloat16(), x.bfloat16(), y).shape == (2, 8, 8)
    assert toolbox.saliency(model, x[:0].bfloat16(), y[:0]).shape == (0, 8, 8)
    with pytest.raises(ValueError, match="not finite"):
        toolbox.saliency(model, (x * torch.nan).bfloat16(), y)


# State, seeds, data


def test_a_generator_that_no_file_has_changes_nothing(tmp_path: Path) -> None:
    toolbox.Checkpointer(tmp_path, model=nn.Linear(2, 2)).save(1)
    model = nn.Linear(2, 2)
    before = model.weight.clone()
    checkpoints = toolbox.Checkpointer(tmp_path, model=model, order=torch.Generator())
    with pytest.raises(KeyError, match="holds model; not order"):
        checkpoints.resume()
    assert torch.equal(model.weight, before)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.complex64])
def test_states_of_any_dtype_come_back(tmp_path: Path, kind: torch.dtype) -> None:
    model, other = nn.Linear(2, 2, dtype=kind), nn.Linear(2, 2, dtype=kind)
    toolbox.Checkpointer(tmp_path, model=model).save(1)
    assert toolbox.Checkpointer(tmp_path, model=other).resume() == 1
    assert torch.equal(other.weight, model.weight)


def test_large_seeds_are_distinguished() -> None:
    drawn = {toolbox.seed(n).initial_seed() for n in (0, 2**32, 2**40)}
    assert len(drawn) == 3
    for number, rank in ((0, -1), (2**63, 0)):
        with pytest.raises(ValueError, match="not negative, and below"):
            toolbox.seed(number, rank=rank)


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_odd_tensors_go_through_a_pass_and_a_tuning() -> None:
    quantized = torch.quantize_per_tensor(torch.rand(3), 0.1, 0, torch.quint8)
    assert toolbox.check_dataset([quantized] * 2).read == 2
    for odd in (torch.eye(3).to_sparse(), torch.empty(0), torch.ones(2, device="meta")):
        loader = DataLoader([odd] * 2, collate_fn=list)  # type: ignore[arg-type]
        found = toolbox.tune_loader(loader, budget=1e-9, cores=1)
        assert found.profile.batch_bytes == 0
