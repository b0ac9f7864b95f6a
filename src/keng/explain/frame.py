"""A frame of a traceback, as a text shows it or a live exception has it."""

from __future__ import annotations

from typing import NamedTuple


class Frame(NamedTuple):
    """One frame of a traceback, outermost first. `user` tells the user's own files from libraries'. `around`
    are the numbered lines of code that IPython shows, and `parameters` what its head says that the function
    takes: `(x, dim=0)`."""

    path: str
    line: int
    function: str
    text: str
    user: bool
    around: tuple[tuple[int, str], ...] = ()
    parameters: str = ""

    @property
    def posix(self) -> str:
        """Its path, with slashes from Windows as well."""
        return self.path.replace("\\", "/")
