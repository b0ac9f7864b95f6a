"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

SIGNALS = {
    "HUP 1": "the terminal it began in was closed (SIGHUP), which nohup does not keep from torchrun: tmux or "
    "screen",
    "INT 2": "it was stopped from the keyboard (SIGINT): what stood still before tells why",
}


def signal_meaning(signal: str) -> str:
    """One line about the signal, "HUP" or "1", that has ended a launcher."""
    other = (
        "it was told to end (SIGTERM) by a scheduler, a limit or a person: `sacct -j` or `kubectl describe "
        "pod` tells which"
    )
    return next((says for by, says in SIGNALS.items() if signal in by.split()), other)
