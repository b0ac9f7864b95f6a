"""Scans model files that packages ship, and converts them to safetensors and back.

    python evals/ckpt/packages.py WHEELS

WHEELS is a folder of downloaded packages (`pip download --no-deps -d WHEELS NAME ...`). Nothing is
installed or committed. Every file of a package whose name says that it is a model is scanned: none may be
DANGEROUS. Of those that torch loads safely, each tensor must equal torch's to the bit after a conversion to
safetensors and back. The script fails otherwise.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from keng.ckpt.reading import read_checkpoint
from keng.ckpt.verdict import judge
from keng.cli.checkpoint_files import MODELS
from keng.cli.main import main as keng


def unpacked(package: Path, folder: Path) -> None:
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            archive.extractall(folder)
    else:
        with tarfile.open(package) as archive:
            archive.extractall(folder, filter="data")


def models(folder: Path) -> list[Path]:
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name.lower().endswith(MODELS)
    ]


def tensors(path: Path) -> dict[str, Any]:
    """By name, as torch or safetensors loads them; empty where that is no state dict."""
    import torch

    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        return dict(load_file(path))
    try:
        found = torch.load(path, weights_only=True, map_location="cpu")
    except Exception:
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: each for name, each in found.items() if isinstance(each, torch.Tensor)}


def converted(path: Path, scratch: Path) -> str:
    """ "equal", or what went wrong; empty where torch loads no state dict."""
    before = tensors(path)
    if not before:
        return ""
    there, back = scratch / "x.safetensors", scratch / "x.pt"
    for source, out in ((path, there), (there, back)):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if keng(["ckpt", "convert", str(source), str(out), "--force"]):
                return f"{source.name} is not converted"
    after = tensors(back)
    if before.keys() != after.keys():
        return "other names"
    return "equal" if all(_same(before[name], after[name]) for name in before) else "OTHER VALUES"


def _same(one: Any, other: Any) -> bool:
    import torch

    bits = [each.contiguous().reshape(-1).view(torch.uint8) for each in (one, other)]
    return one.dtype == other.dtype and one.shape == other.shape and torch.equal(*bits)


def main() -> int:
    words, results, packages = Counter[str](), Counter[str](), set[str]()
    for package in sorted(Path(sys.argv[1]).iterdir()):
        with tempfile.TemporaryDirectory(prefix="keng-eval-") as name:
            folder, scratch = Path(name, "package"), Path(name, "scratch")
            scratch.mkdir()
            unpacked(package, folder)
            for path in models(folder):
                found = judge(read_checkpoint(str(path)))
                result = converted(path, scratch)
                words[found.word] += 1
                results[result or "not a state dict"] += 1
                packages.add(package.name)
                why = next(iter([*map(str, found.unknown), *found.tricks, *found.broken]), "")
                print(
                    f"{package.name[:24]:24} {path.name[:32]:32} {found.word:9} {result:6} {why[:60]}"
                )
    print(f"{words.total()} files of {len(packages)} packages: {dict(words)}; {dict(results)}")
    wrong = results.keys() - {"equal", "not a state dict"}
    return int(words["DANGEROUS"] > 0 or bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
