"""The environment of child processes."""

from __future__ import annotations

import os
from pathlib import Path

import keng


def environment(**more: str) -> dict[str, str]:
    """The variables of a child that runs the keng of this process, in any folder, from compiled files."""
    paths = [str(Path(keng.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}
