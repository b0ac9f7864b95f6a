"""How the entries of one state dict go into another: names, shapes, and the plan that takes them there.

Works on names and shapes alone: no file, no torch.
"""

from keng.ckpt.mapping.describe import expression, in_words
from keng.ckpt.mapping.errors import StateErrors
from keng.ckpt.mapping.match import best, matched
from keng.ckpt.mapping.plan import Entries, Entry, Move, Plan, Rule, Unmatched
from keng.ckpt.mapping.shapes import differing, way

__all__ = [
    "Entries",
    "Entry",
    "Move",
    "Plan",
    "Rule",
    "StateErrors",
    "Unmatched",
    "best",
    "differing",
    "expression",
    "in_words",
    "matched",
    "way",
]
