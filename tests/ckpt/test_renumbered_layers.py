"""Checkpoints as people meet them: what the plan must put where, and what it must not."""

from __future__ import annotations

import random

import pytest

from keng.ckpt.mapping import Entry, Plan, in_words, matched

Shapes = dict[str, tuple[int, ...]]
CONV, LINEAR = {"weight": (8, 8, 3, 3), "bias": (8,)}, {"weight": (8, 8), "bias": (8,)}
NORM = {"weight": (8,), "bias": (8,), "running_mean": (8,), "running_var": (8,)}


def layers(**of: dict[str, tuple[int, ...]]) -> Shapes:
    return {f"{name}.{end}": shape for name, inner in of.items() for end, shape in inner.items()}


def row(front: str, numbers: list[int], kinds: list[Shapes]) -> Shapes:
    return layers(**{f"{front}{n}": kind for n, kind in zip(numbers, kinds, strict=True)})


def plan_of(file: Shapes, model: Shapes, dtype: str = "float32") -> Plan:
    return matched(
        {name: Entry(shape, dtype) for name, shape in file.items()},
        {name: Entry(shape, "float32") for name, shape in model.items()},
    )


def moved(plan: Plan) -> dict[str, str]:
    return {move.source: move.target for move in plan.moves}


def in_order(file: Shapes, model: Shapes) -> dict[str, str]:
    return dict(zip(file, model, strict=True))


MIXED = [CONV, NORM, CONV, NORM, LINEAR, LINEAR]
ROWS = {
    "a dropout came between": (("", [0, 1, 3, 4, 7, 9]), ("", [0, 1, 4, 5, 9, 11]), MIXED),
    "counted from 1": (("layers.", [1, 2, 3]), ("layers.", [0, 1, 2]), [LINEAR] * 3),
    "every second layer": (("h.", [0, 2, 4]), ("h.", [0, 1, 2]), [LINEAR] * 3),
    "behind a beginning": (("model.h.", [1, 2]), ("h.", [0, 1]), [CONV, CONV]),
    "numbers in the names": (("layer", [1, 2, 3]), ("layers.", [0, 1, 2]), [LINEAR] * 3),
    "names with numbers": (("fc", [1, 2]), ("linear", [1, 2]), [LINEAR] * 2),
    "a row called conv": (("b.conv.", [0, 1, 2]), ("b.conv.", [0, 2, 4]), [CONV] * 3),
    "old VGG": (("classifier.", [1, 4]), ("classifier.", [0, 3]), [LINEAR] * 2),
}


@pytest.mark.parametrize("case", ROWS)
def test_layers_under_other_numbers_keep_their_order(case: str) -> None:
    (old, ours), (new, theirs), kinds = ROWS[case]
    file, model = row(old, ours, kinds), row(new, theirs, kinds)
    plan = plan_of(file, model)
    assert plan.whole
    assert moved(plan) == in_order(file, model)
    assert in_words(plan).endswith(f"all {len(model)} entries fit")
    assert "layer by layer in order" in in_words(plan)


def test_a_head_at_the_end_of_a_row_may_have_other_classes() -> None:
    file, model = row("", [0, 1, 3, 5], MIXED[:4]), row("", [0, 1, 4, 6], MIXED[:4])
    ends = {"9.weight": (10, 8), "9.bias": (10,)}, {"11.weight": (7, 8), "11.bias": (7,)}
    plan = plan_of(file | ends[0], model | ends[1])
    assert moved(plan) == in_order(file, model)
    assert [each.why for each in plan.missing] == ["head", "head"]


def test_layers_of_one_kind_go_among_others() -> None:
    """The convolutions of a VGG into one with BatchNorm: its vectors are no biases."""
    file = row("features.", [0, 2, 5], [CONV] * 3)
    model = row("features.", [0, 1, 3, 4, 6, 7], [CONV, NORM] * 3)
    plan = plan_of(file, model)
    targets = [name for name in model if int(name.split(".")[1]) in (0, 3, 6)]
    assert moved(plan) == dict(zip(file, targets, strict=True))
    assert not plan.rivals


@pytest.mark.parametrize(
    ("file", "model"),
    [
        (row("layers.", [0, 1, 2], [LINEAR] * 3), row("layers.", [0, 1], [LINEAR] * 2)),
        (row("layers.", [1, 2], [LINEAR] * 2), row("layers.", [0, 1, 2], [LINEAR] * 3)),
    ],
    ids=["a shallower model", "a deeper one"],
)
def test_equal_names_stay_where_one_side_has_them_all(file: Shapes, model: Shapes) -> None:
    assert moved(plan_of(file, model)) == {name: name for name in file if name in model}


def test_rows_within_rows() -> None:
    """Blocks under other numbers, of which one has layers under other numbers."""
    inner = row("mlp.", [0, 2], [LINEAR] * 2), row("mlp.", [0, 3], [LINEAR] * 2)
    file = row("h.", [0, 1, 2], [inner[0], CONV, inner[1]])
    model = row("h.", [1, 3, 4], [inner[0], CONV, inner[1]])
    plan = plan_of(file, model)
    assert plan.whole
    assert moved(plan) == in_order(file, model)
    other = row("h.", [0, 1, 2], [inner[1], CONV, inner[1]])
    assert moved(plan_of(file, other)) == in_order(file, other)


def test_two_rows_that_fit_one_are_a_choice() -> None:
    file = row("encoder.", [1, 2], [LINEAR] * 2) | row("decoder.", [1, 2], [LINEAR] * 2)
    assert not plan_of(file, row("", [0, 1], [LINEAR] * 2)).whole


def test_vector_of_another_kind_of_layer_is_not_matched() -> None:
    plan = plan_of({**layers(a=NORM), "b.weight": (4,)}, {**layers(a=CONV), "b.weight": (4,)})
    assert moved(plan) == {"b.weight": "b.weight"}


def test_transposed_matrix_is_matched_by_name() -> None:
    """Conv1D of GPT-2: the shape of the one is that of the other's transpose."""
    file = {"transformer.c_fc.weight": (8, 32), "transformer.c_proj.weight": (32, 8)}
    model = {"c_fc.weight": (32, 8), "c_proj.weight": (8, 32)}
    rest: Shapes = {f"ln.{n}": (n,) for n in range(1, 9)}
    plan = plan_of(file | {f"transformer.{name}": rest[name] for name in rest}, model | rest)
    assert moved(plan).items() >= in_order(file, model).items()
    assert {move.how for move in plan.moves if move.source in file} == {"transpose"}


ATTENTION = {
    "llama": (("wq", "wk", "wv", "wo"), ("k_proj", "v_proj", "q_proj", "o_proj"), "2013"),
    "diffusers": (("to_k", "to_q", "to_v", "to_out.0"), ("q", "k", "v", "out_proj"), "1023"),
    "bert": (("query", "key", "value"), ("v_lin", "k_lin", "q_lin"), "210"),
    "norms": (("norm1", "norm2"), ("layernorm_after", "layernorm_before"), "10"),
    "swiglu": (("w1", "w2", "w3"), ("up_proj", "gate_proj", "down_proj"), "120"),
}


@pytest.mark.parametrize("case", ATTENTION)
def test_parts_of_equal_shape_are_matched_by_name(case: str) -> None:
    old, new, order = ATTENTION[case]
    file = layers(**{f"layers.{n}.attn.{name}": LINEAR for n in range(3) for name in old})
    model = layers(**{f"layers.{n}.attn.{name}": LINEAR for n in range(3) for name in new})
    plan = plan_of(file, model)
    assert plan.whole
    for one, other in zip(old, (new[int(place)] for place in order), strict=True):
        assert moved(plan)[f"layers.1.attn.{one}.weight"] == f"layers.1.attn.{other}.weight"


def test_a_query_is_never_a_key() -> None:
    file, model = layers(q_proj=LINEAR, head=CONV), layers(k_proj=LINEAR, head=CONV)
    assert moved(plan_of(file, model)).keys() == layers(head=CONV).keys()


@pytest.mark.parametrize(
    ("spell", "rules"),
    [
        (lambda name: name.replace(".", "/"), set()),
        (lambda name: name.replace(".", "_"), {"spelled"}),
        (lambda name: name.replace("layer1", "layer.1"), {"spelled"}),
    ],
    ids=["/", "_", "layer.1"],
)
def test_other_signs_between_the_parts(spell: object, rules: set[str]) -> None:
    assert callable(spell)
    model = layers(**{"a.layer1.conv": CONV, "a.layer2.conv": CONV, "head": LINEAR})
    file = {spell(name): shape for name, shape in model.items()}
    plan = plan_of(file, model)
    assert plan.whole
    assert moved(plan) == in_order(file, model)
    assert {rule.kind for rule in plan.rules} == rules


@pytest.mark.parametrize(
    ("file", "model"),
    [
        ({"n.b": (4,), "n.g": (4,)}, {"n.bias": (4,), "n.weight": (4,)}),
        (
            {f"n.{end}": (4,) for end in ("gamma", "beta", "moving_variance", "moving_mean")},
            {f"n.{end}": (4,) for end in ("weight", "bias", "running_var", "running_mean")},
        ),
        (
            {f"n.{end}": (4,) for end in ("var", "mean", "bias", "scale")},
            {f"n.{end}": (4,) for end in ("running_var", "running_mean", "bias", "weight")},
        ),
    ],
    ids=["GPT-2", "Keras", "Flax"],
)
def test_norms_of_other_libraries(file: Shapes, model: Shapes) -> None:
    plan = plan_of(file, model)
    assert plan.whole
    assert moved(plan) == in_order(file, model)


def test_square_kernels_are_transposed_too() -> None:
    file: Shapes = {"bert/layer/query/kernel": (8, 8), "bert/layer/query/bias": (8,)}
    plan = plan_of(file, layers(**{"layer.query": LINEAR}))
    assert [move.how for move in plan.moves] == ["transpose", "copy"]
    own: Shapes = {"conv.kernel": (8, 8)}
    assert [move.how for move in plan_of(own, own).moves] == ["copy"]


@pytest.mark.parametrize(
    ("dtype", "scales", "packed"),
    [
        ("int8", (), True),
        ("float8_e4m3fn", ("fc.weight_scale_inv",), True),
        ("float8_e4m3fn", (), False),
        ("float16", ("fc.scale",), False),
    ],
)
def test_quantized_matrices_are_not_weights(
    dtype: str, scales: tuple[str, ...], packed: bool
) -> None:
    file = {"fc.weight": (8, 8), **dict.fromkeys(scales, (8,))}
    plan = plan_of(file, {"fc.weight": (8, 8)}, dtype)
    assert plan.whole != packed
    assert [each.why for each in plan.missing] == ["quantized"] * packed


@pytest.mark.parametrize("kept", ["wte.weight", "lm_head.weight"])
def test_tied_weights_that_are_saved_once_fill_both(kept: str) -> None:
    model = {"wte.weight": Entry((9, 4)), "lm_head.weight": Entry((9, 4), tied="wte.weight")}
    plan = matched({f"module.{kept}": Entry((9, 4))}, model)
    assert plan.whole
    assert {move.target for move in plan.moves} == set(model)


def test_no_plan_without_a_choice_mixes_up_layers() -> None:
    """Rows of layers renumbered, renamed and shuffled at random, of which the truth is known."""
    for seed in range(150):
        dice = random.Random(seed)
        count, uniform = dice.randint(2, 5), dice.random() < 0.5
        kinds = [dice.choice([CONV, NORM, LINEAR]) for _ in range(count)]
        kinds = kinds[:1] * count if uniform else kinds
        numbers = [sorted(dice.sample(range(count + 3), count)) for _ in range(2)]
        model = row(dice.choice(["layers.", "net.h.", "blocks"]), numbers[1], kinds)
        file = row("layers.", numbers[0], kinds)
        truth = in_order(file, model)
        names = dice.sample(list(file), len(file)) if dice.random() < 0.3 else list(file)
        plan = plan_of({name: file[name] for name in names}, model)
        assert plan.rivals or moved(plan) == truth, (seed, moved(plan))
