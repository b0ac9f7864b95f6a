"""Judges model files that packages of the registry ship, and converts them to other formats and back.

    python evals/ckpt/packages.py FOLDER

`packages.json` names the packages: version, SHA-256 of the wheel, model files in it, and the verdict of each
when it was scanned for the first time. Wheels that FOLDER lacks are downloaded with `pip download --no-deps`;
nothing is installed. Every file is scanned; none may be DANGEROUS. The tensors of each file that torch,
safetensors, NumPy or onnx reads must equal those of the converted file. The script prints a table and fails
if one of this does not hold.

    python evals/ckpt/packages.py FOLDER --record

writes `packages.json` from the wheels in FOLDER. A file counts as a model if its name ends as one; of a
package with many of them, `MOST` are taken at equal distances.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from keng.ckpt.reading import read_checkpoint
from keng.ckpt.verdict import judge
from keng.cli.checkpoint_files import MODELS

MANIFEST = Path(__file__).parent / "packages.json"
MOST = 10
MORE = (".hdf5", ".gz", ".xz", ".bz2", ".lzma", ".pth.tar")
"""Endings of models that `keng ckpt scan FOLDER` finds by their content."""


def models(archive: zipfile.ZipFile) -> list[str]:
    names = sorted(
        info.filename
        for info in archive.infolist()
        if info.file_size and info.filename.lower().endswith((*MODELS, *MORE))
    )
    return names[:: -(-len(names) // MOST)] if names else []


def record(folder: Path) -> None:
    """Writes the manifest with the verdicts of this keng."""
    manifest: dict[str, Any] = {}
    for wheel in sorted(folder.glob("*.whl"), key=lambda path: path.name.lower()):
        name, version, *_ = wheel.name.split("-")
        with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as scratch:
            first = {}
            for member in models(archive):
                first[member] = word(Path(archive.extract(member, scratch)))[0]
        if first:
            manifest[name] = {"version": version, "file": wheel.name, "sha256": digest(wheel)}
            manifest[name]["models"] = first
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n")


def word(path: Path) -> tuple[str, str]:
    """The verdict and its first reason."""
    found = judge(read_checkpoint(str(path)))
    names = [*found.dangerous, *found.unknown]
    return found.word, next(iter([*map(str, names), *found.broken, *found.tricks]), "")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def download(name: str, package: dict[str, Any], folder: Path) -> Path:
    """The wheel. Raises SystemExit if it is not the one of the manifest."""
    wheel: Path = folder / package["file"]
    if not wheel.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
        only = ["--only-binary", ":all:", f"{name}=={package['version']}"]
        subprocess.run([*command, *only], check=True)
    if not wheel.exists() or digest(wheel) != package["sha256"]:
        raise SystemExit(f"{wheel.name} is not the file that was recorded")
    return wheel


def judged(name: str, package: dict[str, Any], wheel: Path) -> list[tuple[str, str, str]]:
    """For each model the verdict when it was first scanned, the verdict now, the comparison."""
    from same_tensors import converted

    rows = []
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as scratch:
        for member, first in package["models"].items():
            path = Path(archive.extract(member, scratch))
            now, reason = word(path)
            same = converted(path, Path(scratch))
            rows.append((first, now, same))
            print(
                f"{name[:20]:20} {path.name[-36:]:36} {first:9} {now:9} {same[:24]:24} {reason[:50]}",
                flush=True,
            )
            path.unlink()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the wheels")
    parser.add_argument("--record", action="store_true", help="write packages.json")
    options = parser.parse_args()
    if options.record:
        record(options.folder)
        return 0
    manifest = json.loads(MANIFEST.read_text())
    rows = [
        row
        for name, package in manifest.items()
        for row in judged(name, package, download(name, package, options.folder))
    ]
    first, now = (Counter(row[n] for row in rows) for n in (0, 1))
    same = Counter(row[2].partition(" ")[0] or "not compared" for row in rows)
    print(f"{len(rows)} files of {len(manifest)} packages; first {dict(first)}; now {dict(now)}")
    print(f"tensors after the conversion: {dict(same)}")
    return int(now["DANGEROUS"] > 0 or bool(same.keys() - {"equal", "not compared"}))


if __name__ == "__main__":
    sys.exit(main())
