"""Builds the documentation: the English site, the Chinese one in it as zh/, and keng for the browser as runtime/.

    python tools/build_site.py [--out site] [--no-runtime]

The runtime is Pyodide from the npm registry (`npm pack`, kept in the cache of the user) and a wheel of this checkout.
Nothing of it comes from another place when a page is read.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

HOME = Path(__file__).parent.parent
PYODIDE = "314.0.7"
RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
"""The files of the package that a browser loads."""


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser("build_site.py", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=HOME / "site", help="the folder that is written"
    )
    parser.add_argument("--no-runtime", action="store_true", help="leave out keng for the browser")
    options = parser.parse_args(args)
    out = options.out.resolve()
    build(out)
    if not options.no_runtime:
        put_runtime(out / "runtime")
    print(f"{out}: {sum(1 for each in out.rglob('*.html'))} pages")
    return 0


def build(out: Path) -> None:
    """The pages of both languages."""
    environment = {**os.environ, "PYTHONPATH": str(HOME / "src"), "NO_MKDOCS_2_WARNING": "1"}
    for config, folder in (("mkdocs.yml", out), ("mkdocs.zh.yml", out / "zh")):
        command = [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "-f",
            config,
            "-d",
            str(folder),
        ]
        subprocess.run(command, cwd=HOME, env=environment, check=True)


def put_runtime(folder: Path) -> None:
    """Pyodide, the wheel, and the program that answers."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HOME / "docs/answer.py", folder)
    with tarfile.open(pyodide()) as package:
        for name in RUNTIME:
            file = package.extractfile(f"package/{name}")
            assert file is not None
            (folder / name).write_bytes(file.read())
    with TemporaryDirectory(prefix="keng-wheel-") as place:
        build = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "-w",
            place,
            str(HOME),
        ]
        subprocess.run(build, check=True)
        (wheel,) = Path(place).glob("keng-*.whl")
        shutil.copy(wheel, folder / "keng.whl")


def pyodide() -> Path:
    """The package as the npm registry gives it, downloaded once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "keng-site"
    file = cache / f"pyodide-{PYODIDE}.tgz"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        command = [
            "npm",
            "pack",
            f"pyodide@{PYODIDE}",
            "--silent",
            "--pack-destination",
            str(cache),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
