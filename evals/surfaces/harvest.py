"""How many of the errors that torch's own Python files raise are known to `keng explain`, by folder.

Usage: python benchmarks/explain_harvest.py [FOLDER ...] [--unknown]

Every `raise Kind("...")` in folders of the installed torch that users call is made a traceback, as a
program prints it, with likely values where the text has holes. What torch checks of itself is left out,
and so is what says less than three words. Each text counts once, however rare it is, so the share says
little of what people meet. `--unknown` prints the texts of which no cause is named.
"""

from __future__ import annotations

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
"""What torch says to those who work on it."""

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
"""What stands in a hole, by a word of the expression there."""


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
    """The words that an expression makes; empty where it is no text."""
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
    """What is raised in each folder; a text that stands in several places once."""
    found = importlib.util.find_spec("torch")
    home = Path((found and found.origin) or sys.exit("torch is not installed")).parent
    told: dict[str, list[Raised]] = defaultdict(list)
    seen = set()
    for folder in folders:
        start = home / folder
        for path in sorted(start.rglob("*.py")) if start.is_dir() else [start]:
            for raised in raised_in(path, home) if not DEVELOPERS.search(path.as_posix()) else ():
                if (raised.kind, raised.message) not in seen:
                    seen.add((raised.kind, raised.message))
                    told[folder].append(raised)
    return told


def main() -> int:
    options = sys.argv[1:]
    folders = tuple(each for each in options if not each.startswith("--")) or FOLDERS
    sums: Counter[str] = Counter()
    for folder, all_raised in harvest(folders).items():
        named = {each: explain_text(each.traceback, source=False).diagnoses for each in all_raised}
        known = sum(bool(found) for found in named.values())
        sums += Counter(known=known, all=len(named))
        print(f"{folder:28} {known:4} of {len(named):4}  {known / len(named):.0%}")
        for each, found in named.items() if "--unknown" in options else ():
            if not found:
                print(f"  {each.path}:{each.line} {each.kind}: {' '.join(each.message.split())}")
    print(f"{'all':28} {sums['known']:4} of {sums['all']:4}  {sums['known'] / sums['all']:.0%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
