"""What torch's operators take, and for which dtypes they have a kernel.

The tables next to this file are written by tools/operator_tables.py from the torch that their first line
names.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).parent


class Kernel(NamedTuple):
    """`operator` is what asks for a kernel; `cpu` and `cuda` are the dtypes that it has there, as the
    messages of torch call them ("Half"). A dtype that `cuda` lacks may have one: the table was made
    without a card."""

    operator: str
    cpu: frozenset[str]
    cuda: frozenset[str]


def forms_of(operator: str) -> tuple[str, ...]:
    """Every form of an operator, as torch writes it in messages: `Tensor input, int dim, *, bool keepdim =
    False`; none of what is no operator."""
    name = operator.removesuffix("_").rpartition(".")[2]
    line = _line("operators.names", name)
    return tuple(line[1:])


def takes_out(operator: str) -> bool:
    """Whether a function of torch writes its result into a tensor `out`."""
    return f" {operator} " in f" {_line('operators.names', '=out')[1]} "


def kernel_of(name: str) -> Kernel | None:
    """The kernel that a message calls so: `"addmm_impl_cpu_" not implemented for 'Half'`. The table has the
    names on the CPU; `sum_cuda` is the kernel of the operator of `sum_cpu`. Of other names, which are of old
    versions, the operator that they begin with."""
    line = _line("kernels.names", name)
    if not line and name.endswith("_cuda"):
        line = _line("kernels.names", f"{name.removesuffix('cuda')}cpu")
    if len(line) != 4:
        return _of_operator(name)
    return Kernel(line[1], frozenset(line[2].split()), frozenset(line[3].split()))


def _of_operator(kernel: str) -> Kernel | None:
    """`triu_tril_cuda_template` is one of `triu`; a kernel of a gradient is of no operator here."""
    words = kernel.strip("_").split("_")
    if {"backward", "grad"} & {*words}:
        return None
    for end in range(len(words), 0, -1):
        operator = "_".join(words[:end])
        if operator in _dtypes():
            return Kernel(operator, *_dtypes()[operator])
    return None


@cache
def _dtypes() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    rows = (row.split("|") for row in _text("dtypes.names").splitlines()[1:])
    return {
        name: (frozenset(cpu.split()), frozenset((cuda or cpu).split()))
        for cpu, cuda, names in rows
        for name in names.split()
    }


def _line(table: str, key: str) -> list[str]:
    """The fields of the line that begins with a key."""
    text = _text(table)
    at = text.find(f"\n{key}|") if key else -1
    return text[at + 1 : text.index("\n", at + 1)].split("|") if at >= 0 else []


@cache
def _text(table: str) -> str:
    return (HOME / table).read_text("utf-8")
