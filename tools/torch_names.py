"""Writes src/keng/data/torch_names.py: what the names of torch stand for, asked of torch itself.

Usage: python tools/torch_names.py > src/keng/data/torch_names.py
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable

import torch
import torch.nn.modules.loss as losses
import torch.utils.data as data
from torch import nn, optim
from torch.optim import lr_scheduler

STARS = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.utils.data",
)


def returns_one_tensor() -> tuple[set[str], set[str]]:
    """Names of aten operators all of whose overloads return one tensor; of those, the ones that
    take a tensor `self` (and so are methods)."""
    overloads: dict[str, list] = {}
    for schema in torch._C._jit_get_all_schemas():
        # TorchScript keeps overloads for plain numbers and strings (exp, add, split) beside the tensors'.
        if schema.name.startswith("aten::") and any(
            "Tensor" in str(r.type) for r in schema.returns
        ):
            overloads.setdefault(schema.name[6:], []).append(schema)
    single = {
        name
        for name, schemas in overloads.items()
        if all(len(s.returns) == 1 and str(s.returns[0].type) == "Tensor" for s in schemas)
    }
    methods = {
        n for n in single if any(a.name == "self" for s in overloads[n] for a in s.arguments)
    }
    return single, methods


def classes(module: object, keep: Callable[[type], bool]) -> set[str]:
    return {n for n, c in vars(module).items() if inspect.isclass(c) and keep(c) and n[0] != "_"}


def show(name: str, words: Iterable[str], why: str) -> None:
    body = textwrap.fill(
        " ".join(sorted(words)), 96, break_long_words=False, break_on_hyphens=False
    )
    print(f'\n{name} = frozenset(\n    """\n{body}\n""".split()\n)\n"""{why}"""')


def main() -> None:
    single, methods = returns_one_tensor()
    single |= {"from_numpy", "from_dlpack", "frombuffer"}
    python_methods = {
        "to",
        "cuda",
        "cpu",
        "float",
        "half",
        "double",
        "bfloat16",
        "int",
        "long",
        "short",
        "bool",
        "type",
    }
    print(
        '"""What names of torch stand for. Written by tools/torch_names.py from torch '
        f'{torch.__version__}."""'
    )
    show(
        "TENSOR_FUNCTIONS",
        (n for n in single if hasattr(torch, n) and n[0] != "_"),
        "torch.NAME(...) returns one tensor.",
    )
    tensor_methods = {
        n for n in methods | python_methods if hasattr(torch.Tensor, n) and n[0] != "_"
    }
    show("TENSOR_METHODS", tensor_methods, "tensor.NAME(...) returns one tensor.")
    show("MODULES", classes(nn, lambda c: issubclass(c, nn.Module)), "torch.nn.NAME is a module.")
    show(
        "LOSSES", classes(losses, lambda c: issubclass(c, losses._Loss)), "torch.nn.NAME is a loss."
    )
    show(
        "OPTIMIZERS",
        classes(optim, lambda c: issubclass(c, optim.Optimizer)),
        "torch.optim.NAME is an optimizer.",
    )
    plateau = lr_scheduler.ReduceLROnPlateau
    show(
        "SCHEDULERS",
        classes(lr_scheduler, lambda c: issubclass(c, (lr_scheduler.LRScheduler, plateau))),
        "torch.optim.lr_scheduler.NAME is a scheduler.",
    )
    show(
        "DATASETS",
        classes(data, lambda c: issubclass(c, data.Dataset)),
        "torch.utils.data.NAME is a dataset.",
    )
    print("\nSTARS = {")
    for module in STARS:
        there = __import__(module, fromlist=["_"])
        public = getattr(there, "__all__", None) or [n for n in vars(there) if n[0] != "_"]
        names = textwrap.fill(" ".join(sorted(set(public))), 96, break_long_words=False)
        print(f'    "{module}": frozenset(\n        """\n{names}\n""".split()\n    ),')
    print('}\n"""What `from MODULE import *` binds."""')


if __name__ == "__main__":
    main()
