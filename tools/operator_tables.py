"""Writes src/keng/tables/operators.names, kernels.names and dtypes.names: what torch's operators take, and for which
dtypes they have a kernel.

Usage: python tools/operator_tables.py

The forms of the first come from the registry of the torch that is installed; the dtypes of the second from the
database that torch tests its operators with, the names of the kernels from the errors that calls on the CPU raise.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db

OUT = Path(__file__).parents[1] / "src" / "keng" / "tables"
HOMES = (
    torch,
    torch.Tensor,
    torch.nn.functional,
    torch.linalg,
    torch.fft,
    torch.special,
    torch.sparse,
)
PREFIX = re.compile(r"^(?:linalg|fft|special|sparse)_")
KERNEL = re.compile(r"\"(?P<kernel>\w+)\" not implemented for '(?P<dtype>\w+)'")
TYPES = {
    "Tensor": "Tensor", "int": "int", "SymInt": "int", "float": "float", "bool": "bool", "str": "str",
    "number": "Number", "Scalar": "Number", "Device": "torch.device", "Generator": "torch.Generator",
    "ScalarType": "torch.dtype", "Layout": "torch.layout", "MemoryFormat": "torch.memory_format", "complex": "complex",
    "List[int]": "tuple of ints", "List[Tensor]": "tuple of Tensors", "List[float]": "tuple of floats",
    "List[bool]": "tuple of bools", "List[Optional[Tensor]]": "tuple of Tensors", "List[number]": "tuple of Numbers",
}  # fmt: skip
"""The types of a schema, as the messages of torch's Python call them."""
OF_SCRIPT = ("self", "a", "l", "x")
"""What the builtin functions of TorchScript call their first argument, which have the names of operators."""
DTYPES = {
    torch.float16: "Half", torch.float32: "Float", torch.float64: "Double", torch.bfloat16: "BFloat16",
    torch.complex32: "ComplexHalf", torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble",
    torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int", torch.int64: "Long",
    torch.bool: "Bool",
}  # fmt: skip


def forms() -> dict[str, list[str]]:
    """By the name that Python has for an operator, its forms, shortest first."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        public = not name.startswith("_") and "out" not in schema.overload_name.split("_")
        if space == "aten" and public and _is_public(name):
            form = _form(schema)
            if form is not None:
                found[PREFIX.sub("", name)].add(form)
    return {name: sorted(each, key=lambda form: (len(form), form)) for name, each in found.items()}


def writing() -> list[str]:
    """The functions of torch that write their result into an `out`, as calls of them show."""
    schemas = torch._C._jit_get_all_schemas()
    names = {PREFIX.sub("", schema.name.partition("::")[2]) for schema in schemas}
    return sorted(
        name for name in names if not name.endswith("_") and _writes(getattr(torch, name, None))
    )


def _writes(function: Any) -> bool:
    x = torch.ones(1)
    for given in ((x,), (x, x), (x, 0), (x, x, x), ()):
        try:
            function(*given, out=torch.empty(0))
        except Exception as error:
            if "Tensor out" in str(error):
                return True
        else:
            return True
    return False


def _is_public(name: str) -> bool:
    return any(hasattr(home, PREFIX.sub("", name)) for home in HOMES)


def _form(schema: Any) -> str | None:
    """As the messages of torch write it: `Tensor input, tuple of ints dim, *, torch.dtype dtype = None`."""
    parts: list[str] = []
    first = schema.arguments[0] if schema.arguments else None
    if first is not None and first.name in OF_SCRIPT and str(first.type) != "Tensor":
        return None
    for argument in schema.arguments:
        kind = str(argument.real_type)
        optional = re.fullmatch(r"Optional\[(.*)\]", kind)
        kind = TYPES.get(optional[1] if optional else kind, "")
        if not kind or argument.is_out:
            return None
        if argument.kwarg_only and "*" not in parts:
            parts.append("*")
        name = "input" if argument.name == "self" else argument.name
        parts.append(f"{kind} {name}{_default(argument)}")
    return ", ".join(parts)


def _default(argument: Any) -> str:
    if not argument.has_default_value():
        return ""
    value = argument.default_value
    return f" = {value}" if len(str(value)) < 20 and "," not in str(value) else " = ..."


def kernels() -> dict[str, tuple[str, set[str], set[str]]]:
    """By the name of a kernel, the operator that asks for it, and the dtypes that it has on the CPU and on CUDA: those
    of all operators that ask for it, under the name of the one with the most."""
    found: dict[str, tuple[str, set[str], set[str]]] = {}
    for op in op_db:
        cpu, cuda = _named(op.dtypes), _named(op.dtypesIfCUDA)
        for kernel in set(_asked_for(op)):
            name, on_cpu, on_cuda = found.get(kernel, (op.name, cpu, cuda))
            name = op.name if len(cpu) > len(on_cpu) else name
            found[kernel] = name, on_cpu | cpu, on_cuda | cuda
    return found


def dtypes() -> dict[tuple[str, str], list[str]]:
    """By the dtypes on the CPU, and those on CUDA where they differ, the operators that have them."""
    known: dict[str, tuple[set[str], set[str]]] = {}
    for op in op_db:
        name = op.name.rpartition(".")[2].removeprefix("native_")
        cpu, cuda = known.setdefault(name, (set(), set()))
        cpu |= _named(op.dtypes)
        cuda |= _named(op.dtypesIfCUDA)
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, (cpu, cuda) in sorted(known.items()):
        found[" ".join(sorted(cpu)), "" if cpu == cuda else " ".join(sorted(cuda))].append(name)
    return found


def _named(dtypes: Iterable[torch.dtype]) -> set[str]:
    return {DTYPES[dtype] for dtype in dtypes if dtype in DTYPES}


def _asked_for(op: Any) -> Iterator[str]:
    """The kernels that calls with other dtypes ask for in vain; each is tried with the smallest samples."""
    for dtype in DTYPES:
        if dtype in op.dtypes:
            continue
        try:
            sample = next(iter(op.sample_inputs("cpu", dtype, requires_grad=False)))
            op(sample.input, *sample.args, **sample.kwargs)
        except Exception as error:
            asked = KERNEL.search(str(error))
            if asked is not None and asked["dtype"] == DTYPES[dtype]:
                yield asked["kernel"]


def main() -> None:
    warnings.simplefilter("ignore")
    version = torch.__version__.partition("+")[0]
    lines = [f"# torch {version}: operator | form | ..."]
    lines += ["|".join([name, *each]) for name, each in sorted(forms().items())]
    lines.append(f"=out|{' '.join(writing())}")
    (OUT / "operators.names").write_text("\n".join(lines) + "\n", "utf-8")
    lines = [f"# torch {version}: kernel | operator | dtypes on the CPU | dtypes on CUDA"]
    lines += [
        "|".join([kernel, name, " ".join(sorted(cpu)), " ".join(sorted(cuda))])
        for kernel, (name, cpu, cuda) in sorted(kernels().items())
    ]
    (OUT / "kernels.names").write_text("\n".join(lines) + "\n", "utf-8")
    lines = [
        f"# torch {version}: dtypes on the CPU | dtypes on CUDA, where they differ | operators"
    ]
    lines += [f"{cpu}|{cuda}|{' '.join(names)}" for (cpu, cuda), names in sorted(dtypes().items())]
    (OUT / "dtypes.names").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
