"""Loads, before programs are forked from here, what each of them would load again: the rules of all pitfalls
for a run and its ranks, and the patterns of error messages."""

from keng import pitfalls
from keng.battery.programs import counted_pitfalls
from keng.explain.engine import explain_text
from keng.model import Surface

SURFACES: tuple[Surface, ...] = ("run", "ranks", "ckpt")

for pitfall in pitfalls.every():
    for surface in SURFACES:
        pitfall.rules(surface)
counted_pitfalls()
explain_text("RuntimeError: CUDA out of memory")
