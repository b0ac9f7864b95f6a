"""What several surfaces of card-reports-failure share."""

from __future__ import annotations

OF_THE_CARD = {
    48: "memory that cannot be corrected",
    62: "its controller has stopped",
    74: "a link to another card fails",
    79: "it has fallen off the bus",
    94: "memory that cannot be corrected",
    95: "memory that cannot be corrected, and not contained",
    119: "its firmware does not answer",
    120: "its firmware has failed",
}
"""Xid -> what it says of a card; all others may be a program's own."""
