"""How many of the errors that torch's own Python files raise `keng explain` can explain, by folder.

Usage: python -m evals harvest [FOLDER ...] [--unknown]

Every `raise Kind("...")` in folders of the installed torch that users call becomes a traceback, as a program
prints it, with likely values in the holes of its text. Left out are torch's internal checks and texts of less
than three words. Each text counts once, however rare it is, so the share says little about the errors that
people meet. `--unknown` prints the texts without a cause.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from keng.explain.engine import explain_text

FOLDERS = (
    *("nn", "optim", "utils/data", "utils/checkpoint.py", "amp", "distributions"),
    *("autograd/__init__.py", "autograd/function.py", "autograd/functional.py"),
    *("functional.py", "_tensor.py", "serialization.py", "hub.py", "multiprocessing"),
    *("cuda/__init__.py", "cuda/memory.py", "cuda/graphs.py", "utils/cpp_extension.py"),
    *("distributed/distributed_c10d.py", "distributed/device_mesh.py", "distributed/fsdp"),
)
DEVELOPERS = re.compile(
    r"/(?:attention/_fa|_functions|_named_member_accessor|_per_sample_grad|_expanded_weights|_stateless|"
    r"datapipes|_fully_shard/_fsdp|_flat_param|_exec_order_utils|_debug_utils|_fsdp_extensions)"
)
INTERNAL = re.compile(
    r"(?:must|should) not be None|is (?:unexpectedly )?None\b|to (?:be set|be not None)|should never|"
    r"[Ii]nternal (?:error|assert)|please report|file an issue|must be set$|inconsistent when"
)
"""Texts for those who work on torch itself."""

VALUES = (
    (r"dtype", "torch.float16"),
    (r"device", "cuda:0"),
    (r"shape|size\(\)|sizes", "torch.Size([2, 3])"),
    (r"type|__name__|class|cls", "list"),
    (
        r"\b(?:names?|keys?|path|file|mod|module|msg|str|mode|method|func|fn|op|attr|\w*name)\b",
        "encoder",
    ),
    (r"", "7"),
)
"""The value in a hole, by a word of the expression there."""


class Raised(NamedTuple):
    path: str
    line: int
    kind: str
    message: str

    @property
    def traceback(self) -> str:
        return (
            "Traceback (most recent call last):\n"
            '  File "train.py", line 12, in <module>\n    main()\n'
            f'  File "/env/lib/python3.11/site-packages/torch/{self.path}", line {self.line}, in run\n'
            f"    raise {self.kind}(\n{self.kind}: {self.message}\n"
        )


def raised_in(path: Path, home: Path) -> Iterator[Raised]:
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            kind, message = ast.unparse(node.exc.func), text_of(node.exc.args[0])
            if len(re.findall(r"[A-Za-z]{2,}", message)) >= 3 and not INTERNAL.search(message):
                yield Raised(path.relative_to(home).as_posix(), node.lineno, kind, message)


def text_of(node: ast.expr) -> str:
    """The text of an expression; empty if it is not a text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part) for part in parts)
        case ast.FormattedValue(value=value):
            return likely(ast.unparse(value))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left) + (text_of(right) or likely(ast.unparse(right)))
        case ast.BinOp(left=left, op=ast.Mod()):
            return re.sub(r"%[\d.]*[sdrif]", "7", text_of(left))
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return re.sub(r"\{[^{}]*\}", "7", text_of(value))
    return ""


def likely(expression: str) -> str:
    return next(value for words, value in VALUES if re.search(words, expression))


def harvest(folders: tuple[str, ...]) -> dict[str, list[Raised]]:
    """The errors raised in each folder; a text in several places counts once."""
    found = importlib.util.find_spec("torch")
    home = Path((found and found.origin) or sys.exit("torch is not installed")).parent
    errors: dict[str, list[Raised]] = defaultdict(list)
    seen = set()
    for folder in folders:
        start = home / folder
        for path in sorted(start.rglob("*.py")) if start.is_dir() else [start]:
            for raised in raised_in(path, home) if not DEVELOPERS.search(path.as_posix()) else ():
                if (raised.kind, raised.message) not in seen:
                    seen.add((raised.kind, raised.message))
                    errors[folder].append(raised)
    return errors


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evals harvest", description=str(__doc__).splitlines()[0]
    )
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--unknown", action="store_true", help="print the texts without a cause")
    asked = parser.parse_args(arguments)
    folders = tuple(asked.folders) or FOLDERS
    sums: Counter[str] = Counter()
    for folder, all_raised in harvest(folders).items():
        named = {each: explain_text(each.traceback, source=False).diagnoses for each in all_raised}
        known = sum(bool(found) for found in named.values())
        sums += Counter(known=known, all=len(named))
        print(f"{folder:28} {known:4} of {len(named):4}  {known / len(named):.0%}")
        for each, found in named.items() if asked.unknown else ():
            if not found:
                print(f"  {each.path}:{each.line} {each.kind}: {' '.join(each.message.split())}")
    print(f"{'all':28} {sums['known']:4} of {sums['all']:4}  {sums['known'] / sums['all']:.0%}")
    return 0
