"""All hostile files of this folder. None of them may be KNOWN."""

from __future__ import annotations

import hostile_arrays
import hostile_formats
import hostile_graphs
import hostile_nested
import hostile_pickles
import hostile_script
import hostile_tar
import hostile_two
import hostile_zip
from containers import Hostile

MODULES = (
    *(hostile_tar, hostile_zip, hostile_two, hostile_arrays),
    *(hostile_nested, hostile_script, hostile_pickles, hostile_formats, hostile_graphs),
)


def every() -> list[Hostile]:
    found = [each for module in MODULES for each in module.files()]
    names = [each.file for each in found]
    assert len(names) == len(set(names)), "two files have one name"
    return found
