"""A checkpoint as it lies in its file, without torch and with nothing in it executed: the tree of
values, the tensors and their storages with the place of their bytes, and the names that loading it
would import and call.

Python's own None, bool, int, float, complex, str, bytes, list and tuple stand for themselves in the
tree. A file may make it a graph with cycles, or one in which a node has 2**60 paths: whoever walks it
visits each node once, as `Checkpoint.tensors` does.

nodes.py       what stands in the tree
tree.py        the tree, walked
checkpoint.py  the file as a whole
kinds.py       names for the type checker
"""

from keng.stored.checkpoint import Call, Checkpoint, Stats, Trouble, Verdict
from keng.stored.nodes import SIZES, Dict, Global, Opaque, Part, Path, Place, Storage, Tensor, steps
from keng.stored.tree import DEEPEST, MEMBERS, PLAIN, by_name, dotted, inside, walk

__all__ = [
    "DEEPEST",
    "MEMBERS",
    "PLAIN",
    "SIZES",
    "Call",
    "Checkpoint",
    "Dict",
    "Global",
    "Opaque",
    "Part",
    "Path",
    "Place",
    "Stats",
    "Storage",
    "Tensor",
    "Trouble",
    "Verdict",
    "by_name",
    "dotted",
    "inside",
    "steps",
    "walk",
]
