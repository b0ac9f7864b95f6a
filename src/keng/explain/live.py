"""A live exception as a question sees it, and the plain objects that questions of several pitfalls return."""

from __future__ import annotations

from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from keng.model import Message, Span, say

if TYPE_CHECKING:
    from keng.ckpt.mapping import Plan


class Operand(NamedTuple):
    """A tensor met in a live frame, by the name it has there. Its values are never kept. `viewed` is
    the shape of the tensor that it is a reshaped view of, where that is known."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool
    is_leaf: bool
    viewed: tuple[int, ...] = ()


class Failing(NamedTuple):
    """The user's expression that raised: its place, the function of torch's that it calls, as it is written
    there (`F.pad`), and how torch says that one is called, the tensors in it, and whether what raised is
    PyTorch's: the function, or what the expression is done with."""

    place: Span
    function: str
    signature: str
    tensors: tuple[Operand, ...]
    is_torch: bool


class Layer(NamedTuple):
    """The module whose forward raised: its path in the model as the user names it (`net.encoder.fc`),
    its class, the settings of its constructor, its inputs, its own parameters and buffers, the list on
    a module that holds it unseen, the settings of the other layers in the user's module that called it,
    by their paths from there, and the other module that has the same weight."""

    path: str
    kind: str
    settings: Mapping[str, Any]
    inputs: tuple[Operand, ...] = ()
    held: tuple[Operand, ...] = ()
    unregistered_in: str = ""
    siblings: Mapping[str, Mapping[str, Any]] = {}
    tied_to: str = ""


class Attribute(NamedTuple):
    """What a module keeps as an attribute: its path from a variable of the user's, the class of the module,
    the file of that class and the first line of a method of it, where they are the user's, the
    parameter that the module computes it from, and whether it is a list, tuple or dictionary."""

    path: str
    kind: str
    file: str = ""
    line: int = 0
    made_from: str = ""
    several: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


class PlainTensor(NamedTuple):
    """A plain tensor of a module, neither parameter nor buffer, which `.to()` leaves as it is."""

    attribute: Attribute
    tensor: Operand


class NotLearning(NamedTuple):
    """Why nothing may learn: gradients are off still, or these models, of so many parameters, are frozen."""

    grad_disabled: bool
    frozen: Mapping[str, int]


class Fetched(NamedTuple):
    """What a DataLoader was fetching: the number of the batch, from 1, and the indices of samples in its
    dataset, "17" or "16-23"; 0 and empty where that is not known."""

    batch: int
    samples: str = ""

    @property
    def in_brackets(self) -> Message | str:
        """In brackets, after what it is about; empty where nothing is known."""
        if self.batch and self.samples:
            return say("fetched-batch-of-samples", batch=self.batch, samples=self.samples)
        if self.batch:
            return say("fetched-batch", batch=self.batch)
        return say("fetched-samples", samples=self.samples) if self.samples else ""


class Loading(NamedTuple):
    """What a `load_state_dict` that raised was given goes into its module by this plan. `file` is where
    it was read from as it is, and `kept` the plan as JSON for `keng ckpt fix`; both are empty where the
    program does not say, or has changed what it read."""

    plan: Plan
    file: str = ""
    kept: str = ""


class ValueSummary(NamedTuple):
    """What the values of a tensor of floats are like: whether some are NaN, infinite or below 0, and the
    latter by as little as rounding makes in rows that add up to 1; whether a row is all zero, and whether
    all lie below 1, so that as whole numbers they are 0."""

    nan: bool
    infinite: bool
    negative: bool
    rounded: bool
    empty: bool
    below_one: bool


class LiveError(NamedTuple):
    """A live exception as a question sees it: its message, the tracebacks of its frames, outermost first,
    and torch, which is loaded where PyTorch can have raised it."""

    message: str
    tracebacks: list[TracebackType]
    torch: Any

    @property
    def frames(self) -> list[FrameType]:
        return [each.tb_frame for each in self.tracebacks]
