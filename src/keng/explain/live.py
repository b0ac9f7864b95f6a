"""What a live exception tells beside its text: plain objects, made by the engine, that hold no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from keng.ckpt.mapping import Plan
    from keng.explain.failure import Frame
    from keng.model import Span
    from keng.run.labels import Labels


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

    where: Span
    calls: str
    takes: str
    tensors: tuple[Operand, ...]
    torchs: bool


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
    unseen_in: str = ""
    beside: Mapping[str, Mapping[str, Any]] = {}
    tied_to: str = ""


class Kept(NamedTuple):
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


class Stray(NamedTuple):
    """A plain tensor of a module, neither parameter nor buffer, which `.to()` leaves as it is."""

    kept: Kept
    tensor: Operand


class Handed(NamedTuple):
    """Of two modules in a Sequential, by their paths: the recurrent one that gave a tuple, its class, and the
    one that was given it."""

    giver: str
    kind: str
    taker: str


class Changed(NamedTuple):
    """A value that was changed in place after backward had kept it: the line that made it, the operation
    that changed it ("Add") and its line, where anomaly mode has recorded them; the parameters or buffers
    that it may be, the optimizers that step these, and the modules that do the operation in place."""

    made: Frame | None
    by: str
    line: Frame | None
    names: tuple[str, ...] = ()
    steppers: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


class Unlearned(NamedTuple):
    """Why nothing may learn: gradients are off still, or these models, of so many parameters, are frozen."""

    off: bool
    frozen: Mapping[str, int]


class Fetched(NamedTuple):
    """What a DataLoader was fetching: the number of the batch, from 1, and the indices of samples in its
    dataset, "17" or "16-23"; 0 and empty where that is not known."""

    batch: int
    samples: str = ""

    @property
    def told(self) -> str:
        """In brackets, to stand behind what it is about."""
        which = [f"batch {self.batch}"] if self.batch else []
        which += [f"samples {self.samples} of the dataset"] if self.samples else []
        return f" ({', '.join(which)})" if which else ""


class Loading(NamedTuple):
    """What a `load_state_dict` that raised was given goes into its module by this plan. `file` is where
    it was read from as it is, and `kept` the plan as JSON for `keng ckpt fix`; both are empty where the
    program does not say, or has changed what it read."""

    plan: Plan
    file: str = ""
    kept: str = ""


class Groups(NamedTuple):
    """How many parameters each group of an optimizer has: as saved, and of the one that was to load them."""

    saved: tuple[int, ...]
    here: tuple[int, ...]


class Entries(NamedTuple):
    """The names in a dictionary that lacks an entry, the one that alone holds a state dict, which is the one
    that the module takes, and whether the dictionary itself is that."""

    names: tuple[str, ...]
    state: str
    itself: bool


class Looked(NamedTuple):
    """What the values of a tensor of floats are like: whether some are NaN, infinite or below 0, and the
    latter by as little as rounding makes in rows that add up to 1; whether a row is all zero, and whether
    all lie below 1, so that as whole numbers they are 0."""

    nan: bool
    infinite: bool
    negative: bool
    rounded: bool
    empty: bool
    below_one: bool


class Live(NamedTuple):
    """What only the live exception can tell. `labels` and `indices` are the ranges of what a loss with class
    labels and a look-up in a table got, `lost` the input and the target of a loss, `reached` the variables
    in a freed graph and `attached` those with any, true for a list or tuple, `hidden` the lists of modules
    that a model does not see, `copied` what has a graph in a module that is copied, `handed` who handed on
    a tuple, `strays` the plain tensors that a model was converted without, `replicated` the parameters that
    DistributedDataParallel counts, `groups` those of an optimizer
    that refused a state, `looked` the values that a failing call was given, `hooked` the modules with a full
    backward hook, `entries` those of what was loaded, `nothing` the names there that
    are None; `caught` tells whether there was an exception."""

    operands: tuple[Operand, ...] = ()
    failing: Failing | None = None
    layer: Layer | None = None
    labels: Labels | None = None
    indices: Labels | None = None
    lost: tuple[Operand, ...] = ()
    changed: Changed | None = None
    unlearned: Unlearned | None = None
    loading: Loading | None = None
    reached: Mapping[str, bool] = {}
    attached: Mapping[str, bool] = {}
    hidden: tuple[Kept, ...] = ()
    copied: Kept | None = None
    handed: Handed | None = None
    strays: tuple[Stray, ...] = ()
    replicated: tuple[str, ...] = ()
    groups: Groups | None = None
    looked: Mapping[str, Looked] = {}
    hooked: tuple[str, ...] = ()
    entries: Entries | None = None
    nothing: tuple[str, ...] = ()
    fetched: Fetched = Fetched(0)
    caught: bool = False
