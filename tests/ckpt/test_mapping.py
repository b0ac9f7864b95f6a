"""The mapping plan: names, shapes, rivals. Models are of torch; the mapping itself knows none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping

import pytest
import torch
from torch import nn

from keng.ckpt.mapping import Entries, Entry, Plan, StateErrors, best, in_words, matched


def entries(state: Mapping[str, torch.Tensor]) -> dict[str, Entry]:
    return {name: Entry(tuple(value.shape), str(value.dtype)) for name, value in state.items()}


def net(width: int = 8, classes: int = 4, colours: int = 3) -> nn.Module:
    return nn.Sequential(
        OrderedDict(
            stem=nn.Conv2d(colours, width, 3),
            norm=nn.BatchNorm2d(width),
            submodule=nn.Sequential(nn.Conv2d(width, width, 1), nn.BatchNorm2d(width)),
            head=nn.Linear(width, classes),
        )
    )


MODEL = entries(net().state_dict())


def as_moved(plan: Plan) -> dict[str, str]:
    return {move.source: move.target for move in plan.moves}


RENAMES: dict[str, Callable[[str], str]] = {
    "nothing": lambda name: name,
    "ddp": lambda name: f"module.{name}",
    "twice": lambda name: f"module.module.{name}",
    "compiled part": lambda name: name.replace("submodule.", "submodule._orig_mod."),
    "fsdp": lambda name: (
        "_fsdp_wrapped_module." + name.replace("head.", "head._fsdp_wrapped_module.")
    ),
    "lightning": lambda name: f"model.{name}",
    "backbone": lambda name: f"module.backbone.backbone.{name}",
    "a layer's name": lambda name: name.replace("head.", "fc."),
    "both": lambda name: "net." + name.replace("head.", "classifier.0."),
}


@pytest.mark.parametrize("rename", RENAMES)
def test_renamed_files_fit(rename: str) -> None:
    file = {RENAMES[rename](name): entry for name, entry in MODEL.items()}
    plan = matched(file, MODEL)
    assert plan.whole
    assert as_moved(plan) == {RENAMES[rename](name): name for name in MODEL}


@pytest.mark.parametrize("rename", RENAMES)
def test_renamed_models_fit(rename: str) -> None:
    model = {RENAMES[rename](name): entry for name, entry in MODEL.items()}
    plan = matched(MODEL, model)
    assert plan.whole
    assert as_moved(plan) == {name: RENAMES[rename](name) for name in MODEL}


@pytest.mark.parametrize("rename", sorted(set(RENAMES) - {"a layer's name", "both"}))
def test_names_alone_suffice(rename: str) -> None:
    """As a message of load_state_dict has them: what fits is not in it."""
    file = {RENAMES[rename](name): Entry() for name in MODEL}
    model = {name: Entry() for name in MODEL if name not in file}
    plan = matched({name: e for name, e in file.items() if name not in MODEL}, model)
    assert set(as_moved(plan).values()) == set(model)


def test_real_parts_named_like_wrappers_stay() -> None:
    state = {"module.a": Entry((1,)), "a": Entry((2,)), "_module.b": Entry((3,))}
    assert as_moved(matched(state, state)) == {name: name for name in state}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (nn.utils.weight_norm, nn.utils.parametrizations.weight_norm),
        (nn.utils.spectral_norm, nn.utils.parametrizations.spectral_norm),
    ],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_parametrizations_of_other_versions(
    old: Callable[[nn.Module], nn.Module], new: Callable[[nn.Module], nn.Module]
) -> None:
    before = entries(nn.Sequential(old(nn.Linear(4, 6))).state_dict())
    today = entries(nn.Sequential(new(nn.Linear(4, 6))).state_dict())
    assert matched(before, today).whole
    assert matched(today, before).whole


def test_tensorflow_names_of_layer_norm() -> None:
    file = {"norm.gamma": Entry((4,)), "norm.beta": Entry((4,)), "gamma.weight": Entry((2,))}
    model = {"norm.weight": Entry((4,)), "norm.bias": Entry((4,)), "gamma.weight": Entry((2,))}
    plan = matched(file, model)
    assert plan.whole
    assert ("gamma", "weight") in {(rule.old, rule.new) for rule in plan.rules}


def test_nesting_that_fits_is_chosen() -> None:
    small = {name: Entry((1,)) for name in ("a", "b")}
    plan = best({(): {}, ("optimizer",): small, ("state_dict",): MODEL}, MODEL)
    assert plan.nesting == ("state_dict",)
    assert plan.whole


def test_equal_nestings_are_a_choice() -> None:
    plan = best({("ema",): MODEL, ("model",): MODEL}, MODEL)
    assert plan.nesting == ("model",)
    assert plan.rivals == ("ema",)
    assert not plan.whole


def test_equal_prefixes_are_a_choice() -> None:
    file = {
        f"{who}.backbone.{name}": e for who in ("student", "teacher") for name, e in MODEL.items()
    }
    plan = matched(file, MODEL)
    assert len(plan.exact) == len(MODEL)
    assert len(set(as_moved(plan).values())) == len(plan.moves)
    assert plan.rivals == ("teacher.backbone",)


def hows(file: Entries, model: Entries) -> dict[str, str]:
    plan = matched(file, model)
    return {move.target: move.how for move in plan.moves if move.how != "copy"} | {
        each.name: each.why for each in plan.missing
    }


def test_another_head_and_other_colours() -> None:
    other = entries(net(classes=10, colours=1).state_dict())
    assert hows(MODEL, other) == {
        "stem.weight": "channels",
        "head.weight": "head",
        "head.bias": "head",
    }


def test_other_variant_is_reported_once() -> None:
    plan = matched(entries(net(width=12).state_dict()), MODEL)
    assert plan.variant == "12 where the model has 8"
    assert {each.why for each in plan.lacking} == {"variant"}


@pytest.mark.parametrize(
    ("name", "file", "model", "how"),
    [
        ("pos_embed", (1, 197, 8), (1, 577, 8), "interpolate"),
        ("attn.relative_position_bias_table", (169, 3), (225, 3), "interpolate"),
        ("attn.relative_position_index", (49, 49), (64, 64), "remade"),
        ("embed_tokens.weight", (100, 8), (120, 8), "rows"),
        ("fc.weight", (6, 4), (6, 4, 1, 1), "reshape"),
        ("logit_scale", (), (1,), "reshape"),
        ("c_attn.weight", (8, 24), (24, 8), "transpose"),
        ("layer.weight", (0,), (8, 8), "sharded"),
        ("layer.weight", (8, 8), (9, 9), "shape"),
    ],
)
def test_shapes(name: str, file: tuple[int, ...], model: tuple[int, ...], how: str) -> None:
    rest = {f"rest.{n}": Entry((n,)) for n in range(9)}
    assert hows({name: Entry(file), **rest}, {name: Entry(model), **rest}) == {name: how}


def test_square_layers_turn_with_their_kind() -> None:
    file = {"h.0.c_proj.weight": Entry((8, 8)), "h.1.c_proj.weight": Entry((32, 8))}
    model = {"h.0.c_proj.weight": Entry((8, 8)), "h.1.c_proj.weight": Entry((8, 32))}
    rest = {f"rest.{n}": Entry((n,)) for n in range(9)}
    assert set(hows({**file, **rest}, {**model, **rest}).values()) == {"transpose"}


def test_missing_batch_norm_counters_are_not_a_loss() -> None:
    file = {name: entry for name, entry in MODEL.items() if "num_batches" not in name}
    plan = matched(file, MODEL)
    assert plan.whole
    assert {each.why for each in plan.missing} == {"counter"}


def test_unrelated_tensors_are_not_matched() -> None:
    plan = matched({"a.weight": Entry((2, 3))}, {"b.kernel": Entry((7, 8))})
    assert not plan.moves
    assert [each.why for each in plan.missing] == ["absent"]


def test_json_keeps_a_plan() -> None:
    plan = matched(
        {f"module.{name}": e for name, e in MODEL.items()}, entries(net(classes=9).state_dict())
    )
    assert Plan.of_json(plan.as_json()) == plan
    move = {"source": "a", "target": "b"}
    wrong: list[dict[str, object]] = [
        {"source": {}},
        {"how": "join"},
        {"more": ["c"]},
        {"how": "join", "more": [[]]},
    ]
    for each in ({"source": 1}, *(move | each for each in wrong)):
        with pytest.raises(ValueError, match="no mapping plan"):
            Plan.of_json({**plan.as_json(), "moves": [each]})


def test_a_message_gives_the_names() -> None:
    model = net()
    file = {f"module.{name}": value for name, value in net(classes=9).state_dict().items()}
    file["head.weight"] = file.pop("module.head.weight")
    with pytest.raises(RuntimeError) as caught:
        model.load_state_dict(file)
    errors = StateErrors.of(str(caught.value))
    assert errors.file["head.weight"] == Entry((9, 8))
    plan = matched(errors.file, errors.model)
    assert as_moved(plan)["module.norm.weight"] == "norm.weight"


def test_many_names() -> None:
    model = {f"layers.{n // 10}.part{n % 10}.weight": Entry((4, 4)) for n in range(20_000)}
    plan = matched({f"module.model.{name}": entry for name, entry in model.items()}, model)
    assert len(plan.exact) == 20_000


LEFT = ("fc.weight", "fc.bias"), ("head.weight", "head.bias")


def named(*names: str) -> dict[str, Entry]:
    return {name: Entry() for name in names}


def test_the_only_layers_that_are_left_likely_go_together() -> None:
    file, model = LEFT
    plan = matched(named(*file), named(*model))
    assert as_moved(plan) == dict(zip(file, model, strict=True))
    assert plan.likely is not None
    assert not plan.whole
    assert not plan.settled


@pytest.mark.parametrize(
    ("file", "model"),
    [
        ((*LEFT[0], "aux.weight", "aux.bias"), LEFT[1]),
        (LEFT[0], (*LEFT[1], "aux.weight", "aux.bias")),
        (("fc.weight",), ("head.weight",)),
        (("fc.weight",), LEFT[1]),
        (("weight", "bias"), LEFT[1]),
    ],
    ids=["two in the file", "two in the model", "one name", "no bias", "no layer"],
)
def test_ambiguous_tensors_are_not_matched(file: tuple[str, ...], model: tuple[str, ...]) -> None:
    plan = matched(named(*file), named(*model))
    assert not plan.moves


def test_numbers_of_layers_are_kept() -> None:
    file = {f"encoder.layer.{n}.dense.weight": Entry((4, 4)) for n in range(3)}
    model = {f"blocks.{n}.fc.weight": Entry((4, 4)) for n in range(3)}
    plan = matched(file, model)
    assert plan.whole
    assert as_moved(plan) == dict(zip(file, model, strict=True))


def test_layers_that_count_from_another_number_are_a_choice() -> None:
    file = {f"encoder.layer.{n}.dense.weight": Entry((4, 4)) for n in range(1, 4)}
    model = {f"blocks.{n}.fc.weight": Entry((4, 4)) for n in range(3)}
    assert matched(file, model).rivals


def test_adapters_are_left_unused_next_to_the_weights() -> None:
    file = {f"base_model.model.{name}": entry for name, entry in MODEL.items()}
    layer = "base_model.model.head"
    file[f"{layer}.base_layer.weight"] = file.pop(f"{layer}.weight")
    file[f"{layer}.lora_A.default.weight"] = Entry((2, 8))
    plan = matched(file, MODEL)
    assert plan.whole
    assert [each.why for each in plan.unused] == ["lora"]
    assert in_words(plan).endswith("1 entry of a LoRA adapter is left for PEFT to merge")


def test_adapter_alone_fills_no_model() -> None:
    """Not even where the shape of a matrix happens to be that of a layer; another adapter it does."""
    name, entry = "base_model.model.body.lora_A.weight", MODEL["head.weight"]
    plan = matched({name: entry}, MODEL)
    assert not plan.moves
    assert [each.why for each in plan.unused] == ["lora"]
    assert as_moved(matched({name: entry}, {**MODEL, name: entry})) == {name: name}


def test_letters_that_a_slice_has_cut_off() -> None:
    def cut(missing: str, unexpected: str) -> int:
        message = f"Missing key(s) in state_dict: {missing}. Unexpected key(s) in state_dict: {unexpected}. "
        return StateErrors.of(message).cut_off

    assert cut('"t", "layers.0.weight", "norm.bias"', '"", "0.weight", "as"') == 7
    assert cut('"t", "layers.0.weight", "norm.bias"', '"", "0.weight", "scale"') == 0
    assert cut('"module.a.weight", "module.b.weight"', '"a.weight", "b.weight"') == 0


@pytest.mark.parametrize(
    ("key", "file", "model", "head"),
    [
        ("module.clf_conv.weight", "40, 256, 3, 3", "2, 256, 3, 3", (40, 2)),
        ("roi_heads.box.predictor.cls_score.weight", "14, 1024", "81, 1024", (14, 81)),
        ("fc.bias", "1000", "10", (1000, 10)),
        ("outc.conv.weight", "1, 64, 1, 1", "2, 64, 1, 1", (1, 2)),
        ("layers.4.blocks.0.mlp.fc1.weight", "979, 288", "1152, 288", (0, 0)),
        ("blocks.3.attn.head_bias", "12", "24", (0, 0)),
        ("encoder.layer4.0.fc.weight", "64, 8", "32, 8", (0, 0)),
        ("head.weight", "10, 768", "10, 384", (0, 0)),
        ("class_count", "", "1", (0, 0)),
    ],
)
def test_heads_of_another_number_of_classes(
    key: str, file: str, model: str, head: tuple[int, int]
) -> None:
    told = (
        f"size mismatch for {key}: copying a param with shape torch.Size([{file}]) from checkpoint, "
        f"the shape in current model is torch.Size([{model}])."
    )
    assert StateErrors.of(told).head == head
    assert StateErrors.of(f'Missing key(s) in state_dict: "x". {told}').head == (0, 0)
