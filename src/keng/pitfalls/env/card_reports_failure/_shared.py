"""What several surfaces of card-reports-failure share."""

from __future__ import annotations

from keng.model import say

OF_THE_CARD = {
    48: say("memory-not-correctable"),
    62: say("controller-stopped"),
    74: say("link-failed"),
    79: say("off-the-bus"),
    94: say("memory-not-correctable"),
    95: say("memory-not-contained"),
    119: say("firmware-silent"),
    120: say("firmware-failed"),
}
"""Xid -> what it says of a card; all others may be a program's own."""
