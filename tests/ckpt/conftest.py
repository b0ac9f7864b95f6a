"""The hostile and honest files of evals/ckpt are the seeds of these tests."""

from __future__ import annotations

import sys
from pathlib import Path

HOME = Path(__file__).parents[2] / "evals" / "ckpt"
sys.path.insert(0, str(HOME))
