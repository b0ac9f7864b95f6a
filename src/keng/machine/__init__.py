"""The machine as a prober is shown it: files, environment, limits, processes, installed packages.

All is read lazily and through one small view, which a test replaces by a folder that stands for `/`.
Nothing here imports torch, and only `answer` starts a process.

files.py      files and folders below a root, variables, free space; remembers what was looked at
packages.py   what is installed, from the names on `sys.path`; PyTorch among it
libraries.py  where the loader looks for shared libraries, and what it finds
nvidia.py     the NVIDIA driver and its cards
control.py    what a control group grants: memory, processors
processes.py  who runs, and which files they hold open
children.py   what only another program can tell, asked in a child with a time-out
machine.py    all of it together
"""

from keng.machine.children import nobody
from keng.machine.control import kills
from keng.machine.files import Files
from keng.machine.libraries import Library
from keng.machine.machine import Machine
from keng.machine.nvidia import Card
from keng.machine.packages import Package, Torch
from keng.machine.processes import Process, status_of

__all__ = [
    "Card", "Files", "Library", "Machine", "Package", "Process", "Torch", "kills", "nobody", "status_of",
]  # fmt: skip
