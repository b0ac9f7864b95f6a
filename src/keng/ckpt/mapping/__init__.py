"""How the entries of one state dict go into another: names, shapes, and the plan that takes them there.

Works on names and shapes alone: no file, no torch.
"""

from keng.ckpt.mapping.describe import expression, in_numbers, in_words, of_another_head
from keng.ckpt.mapping.errors import StateErrors
from keng.ckpt.mapping.match import best, matched
from keng.ckpt.mapping.plan import Entries, Entry, Move, Plan, Rule, Skipped

__all__ = [
    "Entries",
    "Entry",
    "Move",
    "Plan",
    "Rule",
    "Skipped",
    "StateErrors",
    "best",
    "expression",
    "in_numbers",
    "in_words",
    "matched",
    "of_another_head",
]
