"""Losses and dropout, as functions and through their modules.

The C functions under `torch.nn.functional` are tapped, where TorchScript must still find them as the
builtins that they are.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch.nn.modules.dropout import _DropoutNd

from keng.run.bus import Bus
from keng.run.events import (
    Attention,
    Dropout,
    EmbeddingLookup,
    Interpolate,
    Loss,
    LossEnd,
    LossFailed,
    Recurrent,
    RecurrentEnd,
)
from keng.run.taps.patches import Patches, is_special

LOSSES = {
    "torch._C._nn": {
        "cross_entropy_loss": "cross_entropy",
        "nll_loss_nd": "nll_loss",
        "binary_cross_entropy": "binary_cross_entropy",
        "mse_loss": "mse_loss",
        "l1_loss": "l1_loss",
        "smooth_l1_loss": "smooth_l1_loss",
        "huber_loss": "huber_loss",
    },
    "torch": {
        "binary_cross_entropy_with_logits": "binary_cross_entropy_with_logits",
        "kl_div": "kl_div",
    },
}
RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")
DROPOUTS = ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout")


def put_on(bus: Bus, patches: Patches) -> None:
    put_on_layers(bus, patches)
    if bus.wants(Loss, LossEnd, LossFailed):
        for owner, functions in LOSSES.items():
            for name, spoken in functions.items():
                _put(patches, torch if owner == "torch" else torch._C._nn, name, _loss, bus, spoken)
    if bus.wants(Dropout):
        for name in DROPOUTS:
            for inplace in ("", "_"):
                _put(patches, sys.modules["torch._VF"], name + inplace, _dropout, bus, name)
    if bus.wants(Attention, Dropout):
        name = "scaled_dot_product_attention"
        _put(patches, torch.nn.functional, name, _attention, bus, "attention")


def put_on_layers(bus: Bus, patches: Patches) -> None:
    """Recurrent layers, embeddings, and `F.interpolate` of three dimensions."""
    if bus.wants(EmbeddingLookup):
        _put(patches, torch, "embedding", _embedding, bus, "embedding")
    if bus.wants(Recurrent, RecurrentEnd):
        for name in RECURRENT:
            _put(patches, sys.modules["torch._VF"], name, _recurrent, bus, name)
    if bus.wants(Interpolate):
        # Who asks for `mode="linear"` knows that it is of sequences.
        _put(patches, torch._C._nn, "upsample_nearest1d", _interpolate, bus, "interpolate")


def _put(patches: Patches, owner: Any, name: str, make: Any, bus: Bus, spoken: str) -> None:
    import torch.jit._builtins as builtins

    original = getattr(owner, name)
    wrapper = make(original, bus, spoken)
    table = builtins._get_builtin_table()  # type: ignore[no-untyped-call]
    patches.put(owner, name, wrapper)
    if (aten := table.get(id(original))) is not None:
        table[id(wrapper)] = aten
        patches.later(lambda: table.pop(id(wrapper), None))


def _recurrent(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any) -> Any:
        # A packed sequence comes with its batch sizes, and without `batch_first` at the end.
        if gate.shut or not isinstance(args[-1], bool) or is_special() or len(args) != 9:
            return original(*args)
        bus.dispatch(Recurrent, spoken, args[0], args[-1])
        out = original(*args)
        if isinstance(args[2], list):
            state = args[1][0] if isinstance(args[1], tuple) else args[1]
            bus.dispatch(RecurrentEnd, args[2][0], state, out[1])
        return out

    return tapped


def _embedding(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate

    def tapped(weight: Any, input: Any, padding_idx: int = -1, *args: Any, **kwargs: Any) -> Any:
        out = original(weight, input, padding_idx, *args, **kwargs)
        if not gate.shut and not is_special():
            bus.dispatch(EmbeddingLookup, weight, input, padding_idx)
        return out

    return tapped


def _interpolate(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any, **kwargs: Any) -> Any:
        if not gate.shut and not is_special():
            bus.dispatch(Interpolate, args[0])
        return original(*args, **kwargs)

    return tapped


def _loss(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any, **kwargs: Any) -> Any:
        if gate.shut or is_special():
            return original(*args, **kwargs)
        bus.dispatch(Loss, spoken, args)
        try:
            out = original(*args, **kwargs)
        except Exception:
            bus.dispatch(LossFailed, spoken, args)
            raise
        bus.dispatch(LossEnd, spoken, args, out)
        return out

    return tapped


def _attention(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate

    def tapped(
        query: Any,
        key: Any,
        value: Any,
        attn_mask: Any = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        **kw: Any,
    ) -> Any:
        # What torch.compile traces ends at the first question, and reads nothing that changes.
        if not (is_special() or gate.shut):
            bus.dispatch(Attention, query, key, attn_mask, is_causal)
            if dropout_p:
                bus.dispatch(Dropout, spoken, (query, dropout_p, True))
        return original(query, key, value, attn_mask, dropout_p, is_causal, **kw)

    return tapped


def _dropout(original: Any, bus: Bus, spoken: str) -> Any:
    gate = bus.gate
    # By identity: hashing a code object is expensive, and a model may hold a hundred dropout modules.
    modules = {id(kind.forward.__code__) for kind in _DropoutNd.__subclasses__()}

    def tapped(*args: Any) -> Any:
        caller = sys._getframe(1).f_back
        by_module = caller is not None and id(caller.f_code) in modules
        if not (by_module or gate.shut or is_special()):
            bus.dispatch(Dropout, spoken, args)
        return original(*args)

    return tapped
