"""The patterns of the whole catalogue without importing it: which unit holds which words.

Made once by importing every unit, and kept until a file of the catalogue changes.
"""

from __future__ import annotations

import os
from functools import cache as once

from keng import cache, catalog
from keng.explain.match import Entry, Patterns, table_of


def patterns() -> Patterns:
    """Of every unit; one is imported when its words are in a text."""
    name, stamp = f"patterns-{cache.digest(str(catalog.HOME))}", _stamp()
    stored = cache.kept(name, stamp)
    if stored is None:
        stored = table_of(catalog.every())
        cache.keep(name, stamp, stored)
    table = {word: [Entry(*entry) for entry in entries] for word, entries in stored.items()}
    return Patterns(table, once(catalog.pitfall))


def _stamp() -> str:
    """Changes with every file of the catalogue, and of this room, which makes the table."""
    groups = [group.path for group in os.scandir(catalog.HOME) if group.is_dir()]
    return cache.stamp([os.path.dirname(__file__), *groups])
