"""Backward passes: `Tensor.backward`, `torch.autograd.backward` and `grad` all end in one function."""

from __future__ import annotations

from typing import Any

from keng.run.bus import Bus
from keng.run.events import AutogradGrad, Backward, BackwardEnd, BackwardFailed, GraphRetained
from keng.run.taps.patches import Patches, is_special


def put_on(bus: Bus, patches: Patches) -> None:
    if not bus.wants(Backward, BackwardEnd, BackwardFailed, AutogradGrad):
        return
    from torch import Tensor, autograd

    gate, original = bus.gate, autograd._engine_run_backward  # type: ignore[attr-defined]

    def _engine_run_backward(t_outputs: Any, *args: Any, **kwargs: Any) -> Any:
        # Inside: a checkpoint's own backward, or one that a module's forward runs.
        if gate.shut or gate.inside or is_special():
            return original(t_outputs, *args, **kwargs)
        adds = bool(kwargs.get("accumulate_grad"))
        # An edge of a graph is no tensor. Most passes have one output.
        single = len(t_outputs) == 1 and isinstance(t_outputs[0], Tensor)
        outputs = [*t_outputs] if single else [t for t in t_outputs if isinstance(t, Tensor)]
        bus.dispatch(Backward, outputs, adds)
        # Positional, after the gradients: whether the graph is kept, and whether one is made.
        if len(args) > 2 and args[1] and not args[2] and adds:
            bus.dispatch(GraphRetained, outputs)
        gate.inside = True
        try:
            out = original(t_outputs, *args, **kwargs)
        except RuntimeError as error:
            bus.dispatch(BackwardFailed, outputs, error)
            raise
        finally:
            gate.inside = False
        bus.dispatch(BackwardEnd, outputs, adds)
        if not adds and len(args) > 2 and not args[2]:
            bus.dispatch(AutogradGrad)
        return out

    patches.put(autograd, "_engine_run_backward", _engine_run_backward)
