# ruff: noqa: E501  (a row is a line)
"""In which words PyTorch tells how many dimensions a layer wants, `wants`, and how many came, `came` or `shape`."""

from __future__ import annotations

WANTED_AND_CAME = (
    r"(?:expected|Only) (?P<wants>[\dD or]+) input (?:Tensors are supported )?\(got (?P<came>\d)(?:D input|D| dimensions)\)",
    r"Expected (?P<wants>\d)-dimensional input for \d-dimensional weight \[?[\d, ]+\]?, ?but got "
    r"(?P<came>\d)-dimensional input of size(?: \[(?P<shape>[\d, ]*)\])?",
    r"Expected (?P<wants>\d)-dimensional input for \d-dimensional weight \[?[\d, ]+\]?, ?but got input of size "
    r"\[(?P<shape>[\d, ]*)\] instead",
    r"Expected (?P<wants>\d(?: to \d)?)[- ]dimension(?:s|al tensor), but got (?P<came>\d)-dimensional tensor for argument #\d '(?!batch)\w+'",
    r"\w{1,80}: Expected (?P<wants>\dD or \dD) input, but received a (?P<came>\d)D input",
    r"Cell: Expected \w{2,20}(?:\[\d\])? to be (?P<wants>\dD or \dD), got (?P<came>\d)D instead",
    r"\w{1,80}: [Ee]xpected input to be (?P<wants>[\dD or-]{1,40}?)(?:, got| but received) (?P<came>\d)-?D ",
    r"\binput must have (?P<wants>\d) dimensions, got (?P<came>\d)",
    r"Expected \dD \(unbatched\) or (?P<wants>\d)D \(batched\) input to \w+, but got input of size: "
    r"(?:torch\.Size\()?\[(?P<shape>[\d, ]*)\]",
)
