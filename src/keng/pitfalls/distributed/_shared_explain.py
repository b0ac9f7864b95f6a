"""Helpers that explain.py of several pitfalls of this group share. Each pitfall that uses them has the texts."""

from __future__ import annotations

from keng.model import Message, say


def ended_by_signal(signal: str) -> Message:
    """What the signal, "HUP" or "1", that has ended a launcher means."""
    if signal in ("HUP", "1"):
        return say("terminal-closed")
    if signal in ("INT", "2"):
        return say("interrupted-from-keyboard")
    return say("terminated-by-request")
