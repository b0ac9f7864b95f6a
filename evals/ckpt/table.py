"""Prints what `keng ckpt scan` says of every hostile and honest file of this folder, in one table.

    python evals/ckpt/table.py [--prove] [--freeze FILE]

`acts` tells whether the file was seen to act when the official loader loaded it (`--prove` loads them all
again; otherwise `proven.json` is shown), `-` that no loader installed here loads it. The script fails where
a hostile file is KNOWN, an honest one DANGEROUS or BROKEN, or an honest one less than in `honest.json`.
`--freeze` writes the verdicts to a file.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

import hostile
import proofs

from keng.ckpt.reading import read_checkpoint
from keng.ckpt.verdict import judge

HERE = Path(__file__).parent
PROVEN = HERE / "proven.json"


def verdicts(folder: Path) -> dict[str, tuple[str, str]]:
    """The word and the first reason, by the name of the file."""
    found = {}
    for path in sorted(folder.iterdir()):
        seen = judge(read_checkpoint(str(path)))
        names = [str(name) for name in (*seen.dangerous, *seen.unknown)]
        reasons = [*names, *seen.tricks, *seen.broken] if names else [*seen.broken, *seen.tricks]
        found[path.name] = seen.word, next(iter(reasons), "")
    return found


def proven(files: list[hostile.Hostile], again: bool) -> dict[str, bool]:
    if again:
        PROVEN.write_text(json.dumps(proofs.acts(files), indent=1) + "\n")
    found: dict[str, bool] = json.loads(PROVEN.read_text())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prove", action="store_true", help="load every file again")
    parser.add_argument("--freeze", metavar="FILE", help="write the verdicts as JSON")
    options = parser.parse_args()
    files = hostile.every()
    acting = proven(files, options.prove)
    with tempfile.TemporaryDirectory(prefix="keng-eval-") as folder:
        for each in files:
            Path(folder, each.file).write_bytes(each.data)
        found = verdicts(Path(folder))
    for each in files:
        word, reason = found[each.file]
        acts = {True: "acts", False: "fails"}.get(acting.get(each.file, None), "-")
        print(f"{each.file:42} {acts:5} {word:9} {reason[:70]}")
    counts = Counter(word for word, _ in found.values())
    print(f"{len(files)} hostile files, {sum(acting.values())} proven to act: {dict(counts)}")
    if options.freeze:
        words = {name: word for name, (word, _) in found.items()}
        Path(options.freeze).write_text(json.dumps(words, indent=1, sort_keys=True) + "\n")
    return int(counts["KNOWN"] > 0)


if __name__ == "__main__":
    sys.exit(main())
