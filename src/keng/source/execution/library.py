"""What functions and classes of libraries give: modules, optimizers, loaders, tensors, wrapped objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from keng.source.execution.conditions import key
from keng.source.execution.events import Did
from keng.source.execution.heap import Heap
from keng.source.execution.machine import Machine
from keng.source.execution.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Constant,
    External,
    Function,
    Gradient,
    Object,
    Role,
    Tensor,
    Value,
    leaves,
    sequence,
)

OPTIMIZERS = frozenset(
    "Adam AdamW SGD RMSprop Adagrad Adadelta Adamax NAdam RAdam LBFGS ASGD Rprop SparseAdam FusedAdam "
    "FusedLAMB Lamb LAMB AdaBelief Ranger Lion Adafactor BertAdam AdamP SGDP AdamW8bit Muon Adam8bit".split()
)
SAME = frozenset("tqdm iter track prefetch list tuple set sorted reversed cycle islice".split())
"""Functions that give what they are given, as far as a loop over it can tell."""
WRAPPERS = frozenset(
    "DataParallel DistributedDataParallel DDP FullyShardedDataParallel FSDP convert_sync_batchnorm "
    "compile script unwrap_model".split()
)
NOTHING = frozenset(
    "print len isinstance id type repr str hasattr clip_grad_norm_ clip_grad_norm clip_grad_value_ save "
    "info debug warning error watch summary log format dump add_graph min max sum next "
    "save_checkpoint save_image seed manual_seed set_seed barrier parameters_to_vector".split()
)
"""Functions that leave what they are given as it is."""
NUMBERS = frozenset("float int bool len str round abs_ repr format hash".split())
COPIES = frozenset(
    {"torch.tensor", "torch.as_tensor", "numpy.array", "numpy.asarray", "torch.from_numpy"}
)
FRESH = frozenset(
    "zeros ones rand randn full empty arange linspace eye randint randperm zeros_like ones_like rand_like "
    "randn_like full_like empty_like normal multinomial argmax argmin".split()
)
PLAIN = (
    "argparse.",
    "os.",
    "time.",
    "json.",
    "yaml.",
    "random.",
    "math.",
    "logging.",
    "sys.",
    "pathlib.",
)
COMPUTING = ("torch.", "einops.", "kornia.", "torchvision.")
"""Packages whose functions compute tensors and leave their graphs as they are."""
OPERANDS = frozenset(
    "input target other tensors query key value mask weight inputs targets x".split()
)
DIFFUSION = ("DDPM", "DDIM", "PNDM", "Euler", "FlowMatch", "DPM")


class Call(NamedTuple):
    """A call of something external: its dotted name, the last part of it, and the arguments."""

    dotted: str
    last: str
    arguments: list[Value]
    named: dict[str, Value]
    node: ast.AST

    @property
    def every(self) -> list[Value]:
        return [*self.arguments, *self.named.values()]

    @property
    def first(self) -> Value:
        return self.arguments[0] if self.arguments else NONE

    def argument(self, name: str, position: int) -> Value | None:
        if name in self.named:
            return self.named[name]
        return self.arguments[position] if position < len(self.arguments) else None


class Library:
    def __init__(self, machine: Machine, heap: Heap) -> None:
        self._machine = machine
        self._heap = heap
        self._conditions = machine.conditions
        self._builtins: dict[str, Callable[[Call], Value]] = {
            "enumerate": self._enumeration,
            "zip": self._zip,
            "range": lambda call: sequence(None, self._conditions.unknown("index", plain=True)),
            "next": self._next,
            "getattr": self._getattr,
            "setattr": self._setattr,
            "isinstance": self._isinstance,
            "hasattr": self._hasattr,
            "dict": self._dict,
            "filter": lambda call: call.arguments[-1] if call.arguments else sequence(()),
        }
        self._by_name: dict[str, Callable[[Call], Value]] = {
            "no_grad": lambda call: self._recording(call, FALSE),
            "inference_mode": lambda call: self._recording(call, FALSE),
            "enable_grad": lambda call: self._recording(call, TRUE),
            "set_grad_enabled": self._set_grad_enabled,
            "chain": self._chain,
            "Parameter": self._parameter,
            "DataLoader": self._loader,
            "DistributedSampler": self._sampler,
            "GradScaler": lambda call: self.made(Role.SCALER, call),
            "Accelerator": lambda call: self.made(Role.ACCELERATOR, call),
            "deepcopy": self._deepcopy,
            "copy": self._copy,
            "partial": self._partial,
            "checkpoint": self._checkpoint,
            "backward": self._backward,
            "grad": lambda call: self._machine.computed(call.every),
            "initialize": lambda call: sequence(tuple(call.arguments)),
            "scale_loss": self._scale_loss,
        }

    def call(
        self, dotted: str, arguments: list[Value], named: dict[str, Value], node: ast.AST
    ) -> Value:
        call = Call(dotted, dotted.rpartition(".")[2], arguments, named, node)
        if dotted.startswith("builtins."):
            return self._builtin(call)
        if call.last in self._by_name and self._is_librarys(call):
            return self._by_name[call.last](call)
        if call.last in WRAPPERS and arguments:
            return named.get("module", call.first)
        if call.last in SAME and arguments:
            return call.first
        return self._made_or_computed(call)

    def _is_librarys(self, call: Call) -> bool:
        """Whether a name is the one of torch, of the standard library or of a wrapper of them."""
        common = {
            "copy": "copy.",
            "partial": "functools.",
            "chain": "itertools.",
            "deepcopy": "copy.",
        }
        if call.last in common:
            return call.dotted.startswith(common[call.last])
        if call.last in ("backward", "grad"):
            return call.dotted.startswith("torch.autograd.")
        if call.last in ("initialize", "scale_loss"):
            return call.dotted.startswith("apex.amp.")
        if call.last == "checkpoint":
            return "checkpoint.checkpoint" in call.dotted
        return True

    def _builtin(self, call: Call) -> Value:
        if call.last in self._builtins and (call.arguments or call.last in ("dict", "zip")):
            return self._builtins[call.last](call)
        if call.last in SAME and call.arguments:
            return call.first
        if call.last in NUMBERS:
            cut = self._machine.gradient_of(call.first).sources
            if cut and call.last in ("float", "int"):
                return self._machine.cut(call.first, f"{call.last}()", call.node)
            return self._conditions.symbol(call.dotted, key(call.first))
        if self._machine.tensors(call.every):
            return self._machine.computed(call.every)
        return self._conditions.unknown(call.last, plain=True)

    def made(self, role: Role, call: Call) -> Object:
        made = Object(role, call.dotted)
        made.node, made.tree = call.node, self._machine.here
        return made

    def _made_or_computed(self, call: Call) -> Value:
        last, dotted = call.last, call.dotted
        if last in OPTIMIZERS or (
            last[:1].isupper() and ".optim." in dotted and "sched" not in dotted.lower()
        ):
            return self.optimizer(call)
        if self._is_scheduler(call):
            made = self.made(Role.SCHEDULER, call)
            made.fields["optimizer"] = call.argument("optimizer", 0) or NONE
            return made
        if last.endswith(("DataLoader", "BucketIterator")):
            return self._loader(call)
        if last.endswith("BatchSampler") and isinstance(call.first, Object):
            return call.first
        if self._is_layer(call) or self._is_pretrained(call):
            return self._module(call)
        return self._function(call)

    def optimizer(self, call: Call) -> Value:
        if isinstance(call.first, Object) and call.first.role is Role.OPTIMIZER:
            return call.first
        made = self.made(Role.OPTIMIZER, call)
        gradients = [self._machine.gradient_of(each) for each in call.every]
        made.of = frozenset[int]().union(*(g.sources for g in gradients))
        held = call.argument("params", 0)
        made.given = held is None or not self._machine.gradient_of(held).known
        return made

    def _is_scheduler(self, call: Call) -> bool:
        if "diffusers.schedulers" in call.dotted or call.last.startswith(DIFFUSION):
            return False
        named = call.last.endswith(("LR", "Scheduler", "Restarts", "OnPlateau"))
        made = call.last.startswith("get_") and "schedule" in call.last
        return (call.last[:1].isupper() and "lr_scheduler" in call.dotted) or named or made

    def _is_layer(self, call: Call) -> bool:
        if not call.dotted.startswith("torch.nn.") or not call.last[:1].isupper():
            return False
        return not any(part in call.dotted for part in (".functional.", ".init.", ".utils."))

    def _is_pretrained(self, call: Call) -> bool:
        if call.last in ("from_pretrained", "from_config"):
            return any(
                w in call.dotted for w in ("Model", "UNet", "Autoencoder", "VAE", "Bert", "GPT")
            )
        family = call.dotted.startswith("torchvision.models.") and ".transforms" not in call.dotted
        return family or call.dotted in ("timm.create_model", "torch.hub.load")

    def _module(self, call: Call) -> Value:
        made = self.made(Role.LOSS if call.last.endswith("Loss") else Role.MODULE, call)
        for part in self._parts(call.every):
            self._machine.adopt(made, part)
        if call.last in ("Sequential", "ModuleList") and call.arguments:
            listed = call.first if isinstance(call.first, Object) else None
            whole = listed is not None and listed.role is Role.SEQUENCE
            items = (listed.items or ()) if whole and listed else tuple(call.arguments)
            made.fields |= {f".[{n}]": each for n, each in enumerate(items)}
        return made

    def _parts(self, values: list[Value]) -> list[Value]:
        return [leaf for value in values for leaf in leaves(value)]

    def _function(self, call: Call) -> Value:
        machine = self._machine
        if "requires_grad" in call.named:
            return self._leaf()
        if call.dotted in COPIES:
            return machine.cut(sequence(tuple(call.arguments)), f"{call.last}()", call.node)
        if call.last in FRESH and call.dotted.startswith("torch."):
            return Tensor()
        if call.last not in NOTHING and not call.dotted.startswith("torch."):
            machine.escape(call.every, call.node)
        if call.dotted.startswith(COMPUTING):
            named = [v for name, v in call.named.items() if name in OPERANDS]
            return machine.computed([*call.arguments, *named])
        if call.dotted.startswith(PLAIN) or call.last == "ArgumentParser":
            return self._conditions.unknown(call.last, plain=True)
        if machine.tensors(call.every):
            made = machine.computed(call.every)
            return Tensor(made.gradient._replace(known=False), made.parts)
        return self._conditions.unknown(call.last)

    def _leaf(self) -> Tensor:
        """A tensor that learns."""
        made = Tensor()
        made.gradient = Gradient(frozenset({made.number}))
        self._machine.learning[made.number] = made
        return made

    def _parameter(self, call: Call) -> Value:
        return self._leaf()

    def _loader(self, call: Call) -> Value:
        made = self.made(Role.LOADER, call)
        given = call.argument("sampler", 4) or NONE
        if isinstance(given, Constant):
            given = call.argument("batch_sampler", 5) or NONE
        made.fields["sampler"] = given
        return made

    def _sampler(self, call: Call) -> Value:
        made = self.made(Role.SAMPLER, call)
        shuffle = call.argument("shuffle", 3)
        made.fields["shuffle"] = shuffle if shuffle is not None else TRUE
        return made

    def _recording(self, call: Call, state: Value) -> Value:
        if call.arguments and isinstance(call.first, (Function, Bound)):
            return call.first
        mode = call.argument("mode", 0)
        made = self.made(Role.CONTEXT, call)
        switched = self._conditions.truth(mode) if mode is not None else None
        if switched is None:
            made.fields["records"] = state
        else:
            made.fields["records"] = self._conditions.negation(switched)
        return made

    def _scale_loss(self, call: Call) -> Value:
        made = self.made(Role.CONTEXT, call)
        made.fields["as"] = call.first
        return made

    def _set_grad_enabled(self, call: Call) -> Value:
        made = self.made(Role.CONTEXT, call)
        made.fields["records"] = self._conditions.truth(call.first)
        return made

    def _enumeration(self, call: Call) -> Value:
        made = self.made(Role.ENUMERATION, call)
        made.fields["of"] = call.first
        return made

    def _zip(self, call: Call) -> Value:
        made = self.made(Role.ZIP, call)
        made.items = tuple(call.arguments)
        held = [each for each in call.arguments if isinstance(each, Object)]
        if len(held) == 2 and all(each.role is Role.PARAMETERS for each in held):
            self._machine.record(Did.PAIRED, held, call.node)
        return made

    def _next(self, call: Call) -> Value:
        loaders = self._heap.loaders(call.first)
        if loaders:
            self._machine.record(Did.BATCH, loaders, call.node)
        return self._heap.element(call.first)

    def _chain(self, call: Call) -> Value:
        made = sequence(None)
        for each in call.arguments:
            self._heap.grow(made, each)
        return made

    def _getattr(self, call: Call) -> Value:
        name = call.arguments[1] if len(call.arguments) > 1 else NONE
        if isinstance(name, Constant) and isinstance(name.value, str):
            return self._machine.attribute(call.first, name.value)
        if isinstance(call.first, External):
            return External(f"{call.first.dotted}.Unknown")
        return self._conditions.unknown()

    def _setattr(self, call: Call) -> Value:
        name = call.arguments[1] if len(call.arguments) > 2 else NONE
        if isinstance(name, Constant) and isinstance(name.value, str):
            self._heap.set_attribute(call.first, name.value, call.arguments[2], call.node)
        return NONE

    def _isinstance(self, call: Call) -> Value:
        of = call.arguments[1] if len(call.arguments) > 1 else NONE
        dotted = of.dotted if isinstance(of, External) else ""
        if isinstance(call.first, Object) and dotted == call.first.dotted and dotted:
            return TRUE
        return self._conditions.symbol("truth", ("isinstance", key(call.first), dotted or key(of)))

    def _hasattr(self, call: Call) -> Value:
        name = key(call.arguments[1]) if len(call.arguments) > 1 else ""
        return self._conditions.symbol("truth", ("hasattr", key(call.first), name))

    def _dict(self, call: Call) -> Value:
        made = Object(Role.DICT)
        made.fields |= {("item", name): value for name, value in call.named.items()}
        if call.arguments:
            made.fields["element"] = self._heap.element(call.first)
        return made

    def _deepcopy(self, call: Call) -> Value:
        if not isinstance(call.first, Object):
            if self._machine.tensors(call.every):
                return Tensor()
            constant = isinstance(call.first, Constant)
            # what is not known is not the same when it is copied
            return call.first if constant else self._conditions.unknown("deepcopy")
        made = Object(call.first.role, call.first.dotted, call.first.class_)
        made.node, made.tree = call.node, self._machine.here
        made.given, made.summary = call.first.given, call.first.summary
        made.fields |= {"copied": TRUE} if made.role is Role.STATE else {}
        return made

    def _copy(self, call: Call) -> Value:
        """`copy.copy(net)` is a new object with the parts of the old one."""
        return call.first

    def _partial(self, call: Call) -> Value:
        return self._conditions.unknown("partial")

    def _checkpoint(self, call: Call) -> Value:
        return self._machine.call(call.first, call.arguments[1:], {}, call.node)

    def _backward(self, call: Call) -> Value:
        self._machine.record(Did.BACKWARD, [call.first], call.node)
        return NONE
