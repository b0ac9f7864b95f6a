"""How the entries of one state dict go into another: names, shapes, and the plan that takes them there.

Works on names and shapes alone: no file, no torch.
"""

from keng.mapping.errors import StateErrors
from keng.mapping.match import best, matched
from keng.mapping.plan import Entries, Entry, Move, Plan, Rule, Skipped
from keng.mapping.told import expression, in_numbers, in_words, of_another_head

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
