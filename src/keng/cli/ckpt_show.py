"""`keng ckpt show`: what is in a checkpoint."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

from keng._util.texts import sentence
from keng.ckpt.checkpoint import Checkpoint, Trouble
from keng.ckpt.describe import shown
from keng.ckpt.inspection import inspect, units
from keng.ckpt.nodes import Dict, Opaque, Path, Storage, Tensor
from keng.ckpt.places import is_folder
from keng.ckpt.summary import Summary
from keng.ckpt.tree import PLAIN, dotted
from keng.ckpt.verify import outside
from keng.cli import checkpoint_files
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser, add_suspicious, flag
from keng.report import checkpoints as report
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keng.model import Finding

EXAMPLES = """
  keng ckpt show model.pt                        names, shapes, dtypes, devices
  keng ckpt show last.ckpt state_dict.encoder    only the entries under a name
  keng ckpt show model.safetensors --stats       read the values too: NaN, norms, dead channels
"""


def parser() -> Parser:
    about = (
        "Show what is in a checkpoint, without torch and without running it. Exit code 1: parts of it"
        " cannot be read; 2: nothing can be read."
    )
    parser = Parser("ckpt show", about, EXAMPLES)
    parser.add_argument("file", help="a file, a folder, or - for the standard input")
    parser.add_argument("key", nargs="?", default="", help="only the entries under this name")
    reading = parser.add_argument_group("analysis")
    flag(reading, "--stats", "read the values: NaN, norms, dead channels")
    add_suspicious(reading)
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    gc.disable()  # what is read lives to the end; a search in it costs a tenth of the time
    with checkpoint_files.local(options.file, "show") as path:
        found = checkpoint_files.read(path, "show")
        found.troubles += tuple(Trouble("broken", says, path) for says in outside(found))
        if found.root is None and is_folder(path):
            raise refused("ckpt show", found.broken[0], options.file)
        rows = list(_rows(found, options.key))
        if options.key and not rows:
            names = [dotted(path) for path in found.tensors]
            near = nearest(options.key, names)
            raise refused("ckpt show", sentence("nothing_named", name=options.key, nearest=near))
        if options.stats and found.is_remote:
            raise refused("ckpt show", sentence("stats_download_first"))
        if options.stats:
            _read_values(found)
        findings, _ = inspect(found, units(found, options.suspicious), options.suspicious)
        if options.json:
            _print_json(found, rows, findings)
        else:
            screen = Screen(sys.stdout, options.color)
            screen.show(
                _lines(found, options.file, rows, findings, Words(options.lang), screen.width)
            )
    gc.freeze()  # nor does Python search it as it ends
    if not found.broken:
        return 0
    return 2 if found.root is None else 1


def _read_values(found: Checkpoint) -> None:
    from keng.ckpt.statistics import NoNumpy, stats
    from keng.cli.progress import Progress

    try:
        with Progress() as progress:
            found.stats = stats(found, progress)
    except NoNumpy:
        says = sentence("needs_package", what="--stats", package="NumPy", spec="numpy")
        raise refused("ckpt show", says) from None


LONGEST_TEXT = 100
"""Characters of a text of the metadata."""
Row: TypeAlias = "tuple[Path, Any]"


def _rows(found: Checkpoint, key: str) -> Iterator[Row]:
    """The tensors and plain values, and what else has nothing to show below it. A list of plain values
    stands in one row, as does an object; of what is in the object only the tensors are shown."""
    closed: Path | None = None
    for path, node in found.walked:
        hidden = closed is not None and path[: len(closed)] == closed
        if (hidden and not isinstance(node, Tensor)) or not _below(path, key) or _opens(node):
            continue
        if not hidden and isinstance(node, Opaque | list | tuple):
            closed = path
        yield path, node


def _opens(node: Any) -> bool:
    """Whether it is a group, whose entries are shown in its stead."""
    if isinstance(node, Dict):
        return bool(node.pairs)
    return isinstance(node, list | tuple) and not PLAIN.issuperset(map(type, node))


def _below(path: Path, key: str) -> bool:
    return not key or f"{dotted(path)}.".startswith(f"{key}.")


def _print_json(found: Checkpoint, rows: list[Row], findings: list[Finding]) -> None:
    import json

    tensors = {path: node for path, node in rows if isinstance(node, Tensor)}
    values = {path: shown(node) for path, node in rows if not isinstance(node, Tensor)}
    print(json.dumps(report.of_checkpoint(found, tensors, values, findings), indent=2))


def _lines(
    found: Checkpoint,
    name: str,
    rows: list[Row],
    findings: list[Finding],
    words: Words,
    width: int,
) -> list[Line]:
    lines = [report.head(found, name, words)]
    if found.root is not None:
        lines += report.tree([*_marked(rows, found, words), *_again(rows, found, words)])
    if found.tensors:
        lines += _summary(found, words, width)
    if found.metadata:
        told = words.comma.join(f"{k} {_short(v)}" for k, v in found.metadata.items())
        lines += paragraph(told, width, [Piece(f"{words('metadata')}{words.colon}", "dim")])
    lines += _loose(found, words, width)
    lines += report.troubles(found, words, width)
    lines += checkpoint_files.acts(found, name, words, width)
    if findings:
        from keng.report.translation import findings_in  # late, as most files are sound

        lines += report.findings(findings_in(words.lang, findings), words, width)
    return lines


def _marked(rows: list[Row], found: Checkpoint, words: Words) -> Iterator[tuple[Path, Any, str]]:
    """With what is special: memory that is shared, bytes that are not there."""
    owners: dict[int, Path] = {}
    for path, node in rows:
        if not isinstance(node, Tensor):
            yield path, shown(node), ""
            continue
        owner = owners.setdefault(id(node.storage), path)
        special = "" if owner == path else words("shares", name=dotted(owner))
        if node.wraps and node.kind != "ndarray":
            special = node.kind
        special = special or ("" if _has_bytes(node) else words("no_bytes"))
        counted = report.stats(found.stats[path]) if path in found.stats else ""
        yield path, node, "  ".join(filter(None, (counted, special)))


def _again(rows: list[Row], found: Checkpoint, words: Words) -> Iterator[tuple[Path, Any, str]]:
    """Other names of groups that were shown, as an average may be the weights themselves."""
    first = {id(node): path for path, node in found.dicts if node.pairs}
    again = [
        ((*path, key), first[id(value)])
        for path, node in found.dicts
        for key, value in node.pairs
        if id(value) in first and first[id(value)] != (*path, key)
    ]
    groups = {path[:n] for path, _ in rows for n in range(len(path))} if again else set()
    for path, known in again:
        if path[:-1] in groups:
            yield path, words("same_as", name=dotted(known) or "."), ""


def _has_bytes(tensor: Tensor) -> bool:
    storage: Storage = tensor.storage
    there = storage.place or storage.inline is not None or tensor.parts or tensor.wraps
    return bool(there or not tensor.numel)


def _short(text: str) -> str:
    return report.row(text, LONGEST_TEXT)


def _loose(found: Checkpoint, words: Words, width: int) -> list[Line]:
    """That views were saved with all of the storage that they lie in."""
    if found.format not in ("zip", "legacy", "tar", "pickle"):
        return []
    from keng.ckpt.loose import loose

    views = loose(found)
    if not views:
        return []
    first = next(iter(views))
    name = next(dotted(path) for path, each in found.tensors.items() if id(each.storage) == first)
    used = sum(stop - start for _, start, stop in views.values())
    size = sum(storage.nbytes for storage, _, _ in views.values())
    text = words("loose", len(views), name=name, used=report.size(used), size=report.size(size))
    return paragraph(text, width, [Piece(words("note"), "dim"), Piece(words.colon)])


def _summary(found: Checkpoint, words: Words, width: int) -> list[Line]:
    seen = Summary(found)
    devices = [
        words("all_tagged" if len(seen.devices) == 1 else "tagged", n=count, device=device)
        for device, count in seen.devices.items()
    ]
    dtypes = [f"{dtype} {report.size(count)}" for dtype, count in seen.dtypes.items()]
    counts = [
        words("tensors", seen.tensors),
        words("numbers", seen.numel),
        f"{words('storages', seen.storages)} ({report.size(seen.nbytes)})",
    ]
    lines = paragraph(words.comma.join([*counts, *devices, *dtypes]), width, [])
    if seen.holds:
        head = [Piece(f"{words('holds')}{words.colon}", "dim")]
        lines += paragraph(words.comma.join(seen.holds), width, head)
    if len(seen.modules) > 1:
        modules = words.comma.join(f"{name} {count}" for name, count in seen.modules.items())
        lines += paragraph(modules, width, [Piece(f"{words('by_module')}{words.colon}", "dim")])[:8]
    return lines
