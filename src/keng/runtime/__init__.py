"""Watches a running program: torch is tapped, taps make moments, watchers say what they see.

taps/       where torch is tapped, and put back as it was
bus.py      hands what the taps saw to the recorders
recorders/  keep what must be remembered over time, and make the moments of `keng.moments`
hub.py      shows moments to the watchers and folds their hits into findings
ranks/      the ranks of one job: what each tells, and what comparing them shows
watch.py    puts these together; launch.py runs a whole program under them

Nothing here imports torch before the program does.
"""

from keng.runtime.capsules import Program
from keng.runtime.ending import told_first
from keng.runtime.hub import Effort, Result
from keng.runtime.launch import TorchMissing, run
from keng.runtime.plan import Keep, Plan
from keng.runtime.watch import Watch

__all__ = [
    "Effort", "Keep", "Plan", "Program", "Result", "TorchMissing", "Watch", "run", "told_first",
]  # fmt: skip
