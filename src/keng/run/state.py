"""What the recorders of one run share: the clock, the marks on graphs, what has been trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

from keng.run import frames
from keng.run.findings import Findings

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

MARK = "keng"


class Mark:
    """Lies in the metadata of a graph's last node and lives as long as the graph."""

    __slots__ = ("__weakref__", "module", "output", "step")

    def __init__(self, step: int, output: bool, module: ref[Module] | None = None) -> None:
        self.step = step
        self.output = output
        self.module = module


@dataclass(slots=True)
class RunState:
    """What the recorders of one run share. `sampling` while sampled events are dispatched. `roots` are
    the modules that the program called itself, in the order of their first calls, which is the same on
    all ranks. `probes` asks the tap to show the forward that begins now call by call; `marked` is the
    mark of the output of the forward that has just ended, if it has a graph. `spent` are the seconds that
    recorders and rules took, and the way to them. `models` where a module ran in training mode, `backwards`
    where there was a backward. `unsaved` are the ids of trained parameters that a saved adapter lacks, as
    does every other file."""

    findings: Findings
    step: int = 1
    sampling: bool = True
    marks: set[ref[Mark]] = field(default_factory=set)
    roots: WeakKeyDictionary[Module, None] = field(default_factory=WeakKeyDictionary)
    probes: bool = False
    marked: ref[Mark] | None = None
    spent: float = 0.0
    models: bool = False
    unsaved: set[int] = field(default_factory=set)
    backwards: bool = False

    def mark(self, tensor: Tensor, output: bool, module: Module | None = None) -> Mark | None:
        """Marks the graph that ends in a tensor; the one that lies there already where there is one."""
        node: Any = tensor.grad_fn
        if node is None:
            return None
        known: Mark | None = node.metadata.get(MARK)
        if known is None:
            known = Mark(self.step, output, ref(module) if module is not None else None)
            node.metadata[MARK] = known
            self.marks.add(ref(known, self.marks.discard))
        return known

    def alive(self) -> list[Mark]:
        """The marks of graphs that are still there."""
        return [mark for known in list(self.marks) if (mark := known()) is not None]

    def module_name(self, module: Module) -> str:
        """As the user names it: a variable, or a path from one; its class where there is none."""
        if direct := frames.name_of(module):
            return direct
        for name, root in frames.variables(torch.nn.Module):
            for path, inner in root.named_modules():
                if inner is module:
                    return f"{name}.{path}"
        for root in list(self.roots):
            for path, inner in root.named_modules():
                if inner is module:
                    return f"{type(root).__name__}.{path}" if path else type(root).__name__
        return type(module).__name__

    def parameter_name(self, parameter: Tensor) -> str:
        """Path of a parameter from a variable of the user's, or nothing."""
        return self.parameter_names([parameter])[0]

    def parameter_names(self, parameters: Iterable[Tensor]) -> list[str]:
        """Of many at once: a model may have ten thousand."""
        wanted = list(parameters)
        missing, names = {id(parameter) for parameter in wanted}, dict[int, str]()
        known = [
            *frames.variables(torch.nn.Module),
            *((type(r).__name__, r) for r in list(self.roots)),
        ]
        for name, root in known if missing else ():
            for path, inner in root.named_parameters(remove_duplicate=False):
                if id(inner) in missing:
                    missing.remove(id(inner))
                    names[id(inner)] = f"{name}.{path}"
            if not missing:
                break
        return [names.get(id(parameter), "") for parameter in wanted]


class unwatched:  # noqa: N801
    """`with unwatched():` for keng's own arithmetic: no gradients, and unseen by the modes that the user
    has put on. Entered at every step, so it does no more than it must."""

    __slots__ = ("grad", "modes")

    def __enter__(self) -> None:
        self.grad = torch.is_grad_enabled()
        self.modes: ExitStack | None = None
        if torch._C._len_torch_dispatch_stack() or torch._C._len_torch_function_stack():
            from torch.utils._python_dispatch import _disable_current_modes

            self.modes = ExitStack()
            self.modes.enter_context(_disable_current_modes())
            self.modes.enter_context(torch._C.DisableTorchFunction())
        torch._C._set_grad_enabled(False)

    def __exit__(self, *_: object) -> None:
        torch._C._set_grad_enabled(self.grad)
        if self.modes is not None:
            self.modes.close()


def memory_of(tensor: Tensor) -> tuple[int, int]:
    """Address and bytes of where the numbers of a tensor lie; zeros for one that is sparse, which lies in
    several places, and for a DTensor, whose numbers another tensor holds."""
    if tensor.layout is not torch.strided:
        return 0, 0
    storage = tensor.untyped_storage()
    try:
        return storage.data_ptr(), storage.nbytes()
    except RuntimeError:
        return 0, 0


def tensors_in(things: Any, depth: int = 3) -> Iterator[Tensor]:
    """The tensors in nested tuples, lists, dicts and dataclass-like outputs."""
    if isinstance(things, torch.Tensor):
        yield things
    elif depth and isinstance(things, dict):
        for thing in things.values():
            yield from tensors_in(thing, depth - 1)
    elif depth and isinstance(things, (tuple, list)):
        for thing in things:
            yield from tensors_in(thing, depth - 1)
    elif depth and type(things).__module__ != "builtins" and hasattr(things, "__dict__"):
        for thing in list(vars(things).values()):
            yield from tensors_in(thing, depth - 1)
