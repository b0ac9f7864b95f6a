"""Draws docs/picture.svg, the picture of README.md, from what keng really prints.

python tools/readme_picture.py          writes it
python tools/readme_picture.py --check  exits with 1 where it is out of date
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

HOME = Path(__file__).parents[1]
PICTURE = HOME / "docs/picture.svg"
RULE = "softmax-before-cross-entropy"
COMMAND = ["check", "examples/digits.py", "--select", RULE, "--color", "always"]
COLUMNS = 86
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Rich names fonts of a server; the picture needs none."""


def printed() -> str:
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "LC_ALL": "C.UTF-8"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "keng", *COMMAND],
        capture_output=True,
        text=True,
        cwd=HOME,
        env=environment,
        check=False,
    )
    return done.stdout


def picture() -> str:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ keng check examples/digits.py", "bold"))
    console.print(Text.from_ansi(printed()))
    svg = console.export_svg(title="keng", unique_id="keng")
    return FONT.sub("", svg).replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")


def main() -> int:
    text = picture()
    if "--check" in sys.argv:
        return int(not PICTURE.exists() or PICTURE.read_text("utf-8") != text)
    PICTURE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
