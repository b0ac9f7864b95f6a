"""Writes src/keng/data/torch_classes.py: classes of torch whose objects are pickled with whole models and
optimizers, and do nothing as they are rebuilt but take their attributes back."""

from __future__ import annotations

import inspect
import sys
import textwrap
from pathlib import Path

import torch
from torch import nn, optim

OUT = Path(__file__).parents[1] / "src" / "keng" / "data" / "torch_classes.py"
HEAD = '''"""Classes of torch that stand in pickles of whole models. Written by tools/pickled_names.py from
torch {version}."""

CLASSES = frozenset(
    """
{names}
""".split()
)
'''


def names() -> set[str]:
    bases = (nn.Module, optim.Optimizer, optim.lr_scheduler.LRScheduler)
    modules = [module for name, module in sys.modules.items() if name.startswith(PLACES)]
    return {
        f"{cls.__module__}.{cls.__qualname__}"
        for module in modules
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if issubclass(cls, bases)
        and cls.__module__.startswith(PLACES)
        and "." not in cls.__qualname__
    }


PLACES = ("torch.nn.modules.", "torch.optim.", "torch.nn.parallel.", "torch.ao.nn.", "torch.amp.")

if __name__ == "__main__":
    text = textwrap.fill(
        " ".join(sorted(names())), 98, break_long_words=False, break_on_hyphens=False
    )
    OUT.write_text(HEAD.format(version=torch.__version__, names=text))
