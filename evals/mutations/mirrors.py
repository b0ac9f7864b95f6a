"""Files of the mirrored repositories, read out of their bare git directories."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

CONFIGURATION = re.compile(
    r"(^|/)(pyproject\.toml|setup\.cfg|requirements[^/]*\.txt|environment\.ya?ml)$"
)
Blobs = dict[str, str]
"""Path -> the hash of its text."""


class Mirror:
    """A repository as HOME/owner+name/repo, bare or not, at one commit (the newest by default)."""

    def __init__(self, home: Path, repository: str, commit: str = "HEAD") -> None:
        base = home / repository.replace("/", "+") / "repo"
        self.git = base if (base / "HEAD").exists() else base / ".git"
        self.repository = repository
        self.commit = self._run("rev-parse", commit).decode().strip()

    def _run(self, *arguments: str, given: bytes | None = None) -> bytes:
        command = ["git", f"--git-dir={self.git}", *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout

    def blobs(self) -> Blobs:
        """The Python files and what configures the project."""
        found: Blobs = {}
        for row in self._run("ls-tree", "-r", "-z", self.commit).split(b"\0"):
            meta, _, name = row.partition(b"\t")
            path = name.decode("utf8", "replace")
            if meta[:6] in (b"100644", b"100755") and (
                path.endswith(".py") or CONFIGURATION.search(path)
            ):
                found[path] = meta.split()[2].decode()
        return found

    def texts(self, hashes: list[str]) -> dict[str, bytes]:
        """The contents of blobs by their hash; what a partial mirror lacks is left out."""
        given = "\n".join(hashes).encode() + b"\n"
        out, at, found = self._run("cat-file", "--batch", given=given), 0, {}
        for name in hashes:
            end = out.index(b"\n", at)
            head = out[at:end].split()
            at = end + 1
            if head[-1] != b"missing":
                found[name] = out[at : at + int(head[2])]
                at += int(head[2]) + 1
        return found

    def write_to(self, folder: Path) -> None:
        """Writes the Python files and the configuration into a folder."""
        blobs = self.blobs()
        texts = self.texts(sorted(set(blobs.values())))
        for path, name in blobs.items():
            if name in texts and ".." not in Path(path).parts:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(texts[name])
