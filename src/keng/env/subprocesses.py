"""What only another program can tell, asked in a child with a time-out."""

from __future__ import annotations

import sys

PATIENCE = 60.0
"""Seconds. The driver may take ten to answer where it is not kept loaded."""

CARDS = "index,name,compute_cap,memory.total,memory.free,driver_version"
QUESTIONS = {
    "nvidia-smi": ["nvidia-smi", f"--query-gpu={CARDS}", "--format=csv,noheader,nounits"],
    "torch": [sys.executable, "-c", "import torch; print(torch._C._cuda_getArchFlags() or '')"],
}


class Silent(Exception):  # noqa: N818
    """Why there is no answer."""


def nobody(question: str) -> str:
    """Where no other program is to be asked."""
    raise Silent


def ask(question: str) -> str:
    """What the program prints. Raises Silent."""
    import subprocess  # dear, and needed where there is a card only

    command = QUESTIONS[question]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise Silent(f"{question} did not answer in {PATIENCE:.0f} s") from None
    except OSError as error:
        raise Silent(f"{question} cannot be run: {(error.strerror or '').lower()}") from None
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Silent(f"{question} ended with {done.returncode}: {' '.join(last)[:200]}")
    return done.stdout
