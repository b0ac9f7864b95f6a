"""Names that pickles import, judged: known to be inert, known to act, or not known."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from keng.ckpt.nodes import Global, Opaque
from keng.tables.pickled_names import ACTING, ACTING_MODULES, ALLOWED, INERT, QUIET, SHARED
from keng.tables.torch_classes import CLASSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Judged: TypeAlias = "Literal['known', 'unknown', 'dangerous']"
GETATTR = "builtins.getattr"
LOADER = Global("torch.storage", "_load_from_bytes")
"""How `pickle` has storages: this, which is `torch.load` without `weights_only`, and a file as its argument.
keng reads that file in its stead, so that it acts only where it is given something else."""
GRAPH_MODULE = Global("torch.fx.graph_module", "reduce_graph_module")
"""How `torch.fx.GraphModule` is pickled: by the Python code of its `forward`."""
CLASSES_OF_C = "__torch__.torch.classes."
PACKED = re.compile(
    r"__torch__\.torch\.classes\.(?:quantized|rnn|sparse|xnnpack|mkldnn|mkldnn_prepacked)\.\w+$"
)
"""Classes of C++ that hold packed weights; others come with a library."""


def judged(name: Global, torchscript: bool = False) -> Judged:
    """The classes of a TorchScript archive come from its own code, which is no Python."""
    full = name.full
    if full in INERT:
        return "known"
    if torchscript and full.startswith("__torch__."):
        return "known" if not full.startswith(CLASSES_OF_C) or PACKED.match(full) else "unknown"
    return "dangerous" if is_importable(name) and _acts(_found(name)) else "unknown"


def is_importable(name: Global) -> bool:
    """Whether Python could import it: a text that begins like a pickle names sentences as modules."""
    return not name.module or all(map(str.isidentifier, _found(name).module.split(".")))


def _found(name: Global) -> Global:
    """What Python finds: 3.11 has its frozen `os` under the name "os\0" as well."""
    module, nul, _ = name.module.partition("\0")
    return Global(module, name.name) if nul else name


def refused(names: Iterable[Global]) -> tuple[Global, ...]:
    """Those that torch.load takes only with weights_only=False."""
    return tuple(name for name in names if str(name) not in ALLOWED)


def _acts(name: Global) -> bool:
    """By its name, a module above it, or one that it is reached through (`collections.sys.exit`)."""
    full = name.full.removesuffix("(...)")
    parts = full.split(".")
    fronts = {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
    ends = {".".join(parts[n:]) for n in range(len(parts))}
    if full in QUIET:
        return False
    if _through(name, parts):
        return True
    return not _is_of_a_user(parts) and bool(fronts & ACTING_MODULES or (fronts | ends) & ACTING)


def _through(name: Global, parts: list[str]) -> bool:
    """Whether an attribute on the way is a module. What is imported is one only in packages that have
    imported modules of Python under their own names."""
    imported = name.module.split(".")
    own = imported[0] in REACHED and not _is_of_a_user(parts)
    way = parts[1:-1] if own else parts[len(imported) : -1]
    return bool({part.lstrip("_") for part in way} & STANDARD)


def _is_of_a_user(parts: list[str]) -> bool:
    """Whether a module that is named like one of Python's has not what is asked of it."""
    acting = SHARED.get(parts[0])
    if acting is None or len(parts) < 2:
        return False
    second = parts[1].lstrip("_")
    return parts[1] not in acting.split() and second not in STANDARD and parts[1][:2] != "__"


STANDARD = {name for name in ACTING_MODULES if "." not in name} - {"test", "code", "io", "profile"}
"""Modules that no attribute of another one is called by."""
REACHED = {*sys.stdlib_module_names, "torch", "numpy", "six", "future", "past"}
"""Packages of which no module has the name of one of Python's."""
METHODS = {("torch._TorchCompileInductorWrapper", "get_compiler_config")}
"""Methods that are pickled with what they are bound to."""


def reaches(args: Any) -> bool:
    """Whether `getattr` is asked for what is no plain member of a class: `__globals__`, or something of
    the result of another call. Enumerations are pickled by a getattr that does not."""
    target, name = args if isinstance(args, tuple) and len(args) == 2 else (None, "__")
    if not isinstance(name, str) or name.startswith("__"):
        return True
    if isinstance(target, Opaque):
        if (target.name.full, name) in METHODS:
            return False
        return target.name.full not in CLASSES  # modules of torch keep methods of theirs as hooks
    return name.startswith("_")
