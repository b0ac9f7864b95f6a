"""Methods whose code is not the project's: those of modules, optimizers, loaders, tensors, lists."""

from __future__ import annotations

import ast
from collections.abc import Callable

from keng.source.execution.events import Did
from keng.source.execution.heap import Heap
from keng.source.execution.library import NOTHING, Call
from keng.source.execution.machine import Machine
from keng.source.execution.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Constant,
    Function,
    Gradient,
    Object,
    Role,
    Symbol,
    Tensor,
    Value,
    sequence,
)

SAME = frozenset(
    "to cuda cpu half float double bfloat16 requires_grad_ share_memory apply compile type eval train xpu "
    "to_empty ".split()
)
CUTS = frozenset({"detach", "item", "tolist", "numpy", "detach_", "argmax", "argmin"})
COUNTS = frozenset("size dim numel element_size nelement stride eq ne gt lt ge le".split())
LAYOUT = frozenset(
    "to cuda cpu float half double type contiguous view reshape permute transpose squeeze unsqueeze "
    "flatten mean sum max min std var norm expand repeat chunk split unbind clamp clone topk sort softmax "
    "log_softmax narrow select unfold flip roll cumsum cumprod long int bool rsample sample".split()
)
"""Methods of a tensor whose arguments are numbers, devices and types."""
SILENT = frozenset(
    "state_dict buffers named_buffers register_buffer log log_dict print save_hyperparameters "
    "toggle_optimizer untoggle_optimizer register_forward_hook extra_repr save_pretrained "
    "gradient_checkpointing_enable enable_input_require_grads push_to_hub".split()
)
"""Methods of a module that are no forward of it."""


class Methods:
    def __init__(self, machine: Machine, heap: Heap) -> None:
        self._machine = machine
        self._heap = heap
        self._conditions = machine.conditions
        self._by_role: dict[Role, Callable[[Object, Call], Value | None]] = {
            Role.MODULE: self._of_module,
            Role.LOSS: self._of_module,
            Role.OPTIMIZER: self._of_optimizer,
            Role.SCHEDULER: self._of_scheduler,
            Role.SAMPLER: self._of_sampler,
            Role.LOADER: self._of_sampler,
            Role.SCALER: self._of_scaler,
            Role.ACCELERATOR: self._of_accelerator,
            Role.SEQUENCE: self._of_sequence,
            Role.DICT: self._of_dict,
        }

    def call(
        self, of: Value, name: str, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        call = Call(name, name, arguments, named, node)
        if isinstance(of, Tensor):
            return self._of_tensor(of, call)
        found = (
            self._by_role.get(of.role, self._unknown)(of, call) if isinstance(of, Object) else None
        )
        if found is None and isinstance(of, (Object, Symbol)):
            found = self.by_protocol(of, call)
        return found if found is not None else self._elsewhere(of, call)

    def _unknown(self, of: Object, call: Call) -> Value | None:
        return None

    def _elsewhere(self, of: Value, call: Call) -> Value:
        if call.last not in NOTHING:
            self._machine.escape([*call.every, of], call.node)
        if self._machine.tensors(call.every):
            made = self._machine.computed(call.every)
            return Tensor(made.gradient._replace(known=False), made.parts)
        return self._conditions.unknown(call.last, plain=isinstance(of, Symbol) and of.plain)

    def by_protocol(self, of: Object | Symbol, call: Call) -> Value | None:
        """What methods of these names do, whatever they are called on; None for others."""
        name = call.last
        if name in ("backward", "manual_backward"):
            given = call.arguments[0] if len(call.arguments) == 1 else of
            self._machine.record(Did.BACKWARD, [given], call.node)
            return NONE
        if name == "zero_grad":
            self._machine.record(Did.ZERO_GRAD, [of], call.node)
            return NONE
        if name == "set_epoch":
            self._machine.record(Did.SET_EPOCH, [of], call.node)
            return NONE
        if name == "step":
            return self._step(of, call)
        if name in ("train", "eval") and len(call.every) < 2:
            return self._switch(of, call)
        if name in ("parameters", "named_parameters") and not _is(of, Role.OPTIMIZER):
            return self._parameters(of, named=name.startswith("named"))
        if name in ("to", "cuda", "half", "float", "cpu") and isinstance(of, Symbol):
            return of
        return None

    def _step(self, of: Object | Symbol, call: Call) -> Value | None:
        name = of.name.lower() if isinstance(of, Symbol) else ""
        if "sched" in name or name.startswith("lr_"):
            self._machine.record(Did.SCHEDULER_STEP, [of], call.node, TRUE if call.every else FALSE)
        elif "scaler" in name and call.arguments:
            self._machine.record(Did.STEP, [call.first], call.node)
        elif not call.arguments:
            self._machine.record(Did.STEP, [of], call.node)
        else:
            return None
        return NONE

    def _switch(self, of: Object | Symbol, call: Call) -> Value | None:
        given = call.every[0] if call.every else None
        if call.last == "train" and isinstance(given, (Object, Tensor, Function, Bound)):
            return None
        mode: Value = TRUE if call.last == "train" else FALSE
        if call.last == "train" and given is not None:
            mode = self._conditions.truth(given)
        self._machine.record(Did.TRAIN_MODE_SET, [of], call.node, mode)
        return of

    def _parameters(self, of: Object | Symbol, named: bool) -> Object:
        made = Object(Role.PARAMETERS)
        made.of = frozenset({of.number})
        if named:
            made.fields["named"] = TRUE
        return made

    def _of_tensor(self, of: Tensor, call: Call) -> Value:
        name, node = call.last, call.node
        if name == "backward":
            self._machine.record(Did.BACKWARD, [of], node)
            return NONE
        if name in CUTS:
            return self._machine.cut(of, f".{name}()", node)
        if name in COUNTS:
            return Tensor()
        if name == "requires_grad_":
            if not call.every or call.every[0] is not FALSE:
                self._learn(of)
            return of
        if name == "zero_" and of.gradient.sources:
            self._machine.record(Did.ZERO_GRAD, [of], node)
        if name in ("new_tensor", "new_zeros", "new_ones", "new_full"):
            return Tensor()
        tensors: list[Value] = [of] if name in LAYOUT else [of, *call.every]
        value = self._machine.computed(tensors)
        return self._machine.changed(of, value) if name.endswith("_") else value

    def _learn(self, of: Tensor) -> None:
        of.gradient = Gradient(
            of.gradient.sources | {of.number}, of.gradient.cuts, of.gradient.known
        )

    def _of_module(self, of: Object, call: Call) -> Value | None:
        name = call.last
        if name in ("children", "modules", "named_children", "named_modules", "values"):
            return sequence(None, self._heap.part(of, "[]"))
        if name == "forward":
            return self.forward(of, call.every, call.node)
        if name == "state_dict":
            made = Object(Role.STATE)
            made.fields["module"] = of
            return made
        if name == "load_state_dict":
            self._machine.record(Did.STATE_LOADED, [of, call.first], call.node)
            return NONE
        if name in ("append", "add_module", "register_module", "insert") and call.arguments:
            self._machine.adopt(of, call.arguments[-1])
            return NONE
        if name in SILENT or name == "__init__":
            return NONE
        if name == "no_sync":
            return Object(Role.CONTEXT)
        known = self.by_protocol(of, call)
        if known is not None or name in SAME:
            return known or of
        return self.forward(of, call.every, call.node)  # of another name: `model.sample(x)`

    def forward(self, of: Object, arguments: list[Value], node: ast.AST) -> Tensor:
        """A call of a module whose code is not followed."""
        own = frozenset[int]()
        if of.role is not Role.LOSS:
            self._machine.record(Did.FORWARD, [of], node)
            own = frozenset({of.number})
        return self._machine.computed(arguments, own)

    def _of_optimizer(self, of: Object, call: Call) -> Value | None:
        name = call.last
        if name == "step":
            if call.arguments and isinstance(call.first, (Function, Bound)):
                self._machine.call(call.first, [], {}, call.node)
            self._machine.record(Did.STEP, [of], call.node)
            return NONE
        if name == "zero_grad":
            self._machine.record(Did.ZERO_GRAD, [of], call.node)
            return NONE
        if name == "add_param_group":
            of.of |= self._machine.gradient_of(call.first).sources
            self._machine.escape([of], call.node)
            return NONE
        if name == "backward" and call.arguments:
            self._machine.record(Did.BACKWARD, [call.first], call.node)
            return NONE
        return self._conditions.unknown(name, plain=True)

    def _of_scheduler(self, of: Object, call: Call) -> Value | None:
        if call.last in ("step", "step_update"):
            given = TRUE if call.every or call.last != "step" else FALSE
            self._machine.record(Did.SCHEDULER_STEP, [of], call.node, given)
        return self._conditions.unknown(call.last, plain=True)

    def _of_sampler(self, of: Object, call: Call) -> Value | None:
        if call.last == "set_epoch":
            sampler = of.fields.get("sampler", of) if of.role is Role.LOADER else of
            self._machine.record(Did.SET_EPOCH, [sampler], call.node)
            return NONE
        return self._conditions.unknown(call.last, plain=True)

    def _of_scaler(self, of: Object, call: Call) -> Value | None:
        if call.last == "scale" and call.arguments:
            return call.first
        if call.last == "step" and call.arguments:
            self._machine.record(Did.STEP, [call.first], call.node)
        return NONE

    def _of_accelerator(self, of: Object, call: Call) -> Value | None:
        if call.last.startswith("prepare") and call.arguments:
            loaders = [each for each in call.arguments if _is(each, Role.LOADER)]
            self._machine.escape(loaders, call.node)  # it gives the sampler its epoch
            several = len(call.arguments) > 1
            return sequence(tuple(call.arguments)) if several else call.first
        if call.last == "backward" and call.arguments:
            self._machine.record(Did.BACKWARD, [call.first], call.node)
            return NONE
        if call.last == "unwrap_model" and call.arguments:
            return call.first
        if call.last == "accumulate":
            return Object(Role.CONTEXT)
        return self._conditions.unknown(call.last, plain=not self._machine.tensors(call.every))

    def _of_sequence(self, of: Object, call: Call) -> Value | None:
        if call.last in ("append", "add", "insert", "extend", "appendleft") and call.arguments:
            given = call.arguments[-1]
            self._heap.grow(of, self._heap.element(given) if call.last == "extend" else given)
            if self._machine.records and self._machine.gradient_of(given).sources:
                self._machine.record(Did.KEPT, [given, of], call.node, Constant(of.number))
            return NONE
        if call.last in ("clear", "pop", "popleft", "remove"):
            self._machine.write(of.fields, "emptied", TRUE)
        return self._heap.element(of) if call.last == "pop" else self._conditions.unknown()

    def _of_dict(self, of: Object, call: Call) -> Value | None:
        if call.last in ("get", "pop", "setdefault") and call.arguments:
            return self._heap.item(of, call.first)
        if call.last in ("items", "values", "keys"):
            return self._entries(of, call.last)
        return self._conditions.unknown(call.last)

    def _entries(self, of: Object, which: str) -> Value:
        known = [(k[1], v) for k, v in of.fields.items() if isinstance(k, tuple)]
        pairs = [*((Constant(k), v) for k, v in known)]
        if "element" in of.fields:
            name = self._conditions.unknown("key", plain=True)
            inner = of.fields["element"]
            return sequence(None, inner if which == "values" else sequence((name, inner)))
        if which == "items":
            return sequence(tuple(sequence(pair) for pair in pairs))
        return sequence(tuple(pair[which == "values"] for pair in pairs))


def _is(value: Value, role: Role) -> bool:
    return isinstance(value, Object) and value.role is role
