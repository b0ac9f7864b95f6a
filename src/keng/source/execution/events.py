"""What happens in a program, as a tree: events in order, alternatives, loops and calls."""

from __future__ import annotations

import ast
from enum import Enum
from typing import NamedTuple

from keng.source.execution.values import Value
from keng.source.tree import Tree


class Did(Enum):
    """The kinds of events."""

    EPOCH_BEGIN = "a loop over a loader begins"
    BATCH = "a loader gives a batch"
    FORWARD = "a module is called"
    BACKWARD = "backward"
    STEP = "an optimizer steps"
    ZERO_GRAD = "gradients are cleared"
    GRADIENT_SET = "a gradient is written by hand"
    SCHEDULER_STEP = "a scheduler steps"
    TRAIN_MODE_SET = "train() or eval()"
    SET_EPOCH = "a sampler is given its epoch"
    KEPT = "something that outlives the iteration is given a tensor"
    REPLACED = "a name or attribute that held a module is given another one"
    STATE_LOADED = "a module takes a state dict"
    PAIRED = "the parameters of two modules are paired in one loop"
    ESCAPE = "an object is given to code that keng does not know"


class Round(NamedTuple):
    """A loop that is running; what has a number above `birth` was made in this iteration."""

    node: ast.stmt
    birth: int


class Event(NamedTuple):
    """`place` is the node in the analysed file that leads to `node`, which may be in another one.
    `recorded` is the condition under which autograd records, `path` the conditions around, `flag` what
    the kind says more: the mode that is set, the number of the loop that something outlives."""

    did: Did
    objects: tuple[Value, ...]
    node: ast.AST
    tree: Tree
    place: ast.AST
    recorded: Value
    loops: tuple[Round, ...]
    path: tuple[Value, ...]
    flag: Value | None = None


class Exit(NamedTuple):
    """Control leaves: "return", "raise", "break" or "continue"."""

    how: str


class Alternative(NamedTuple):
    """One of two courses, by a condition."""

    condition: Value
    yes: list[Node]
    no: list[Node]


class Repeat(NamedTuple):
    """The body of a loop. What is made in it has a number above `birth`."""

    body: list[Node]
    birth: int


class Block(NamedTuple):
    """A course that ends an exit: a call ends `return`, an iteration `continue`."""

    ends: str
    body: list[Node]


Node = Event | Exit | Alternative | Repeat | Block
