"""Looks at source files without running them: files -> findings -> fixes.

discovery.py    the files that are meant by the paths of a command line
comments.py     `# keng: ignore[name]: reason`, by which a finding is silenced in the source
engine.py       runs the finders of pitfalls over files
fixes.py        makes fixes in texts, over and over until nothing is left to mend
writing.py      puts a mended text back into its file
"""

from keng.check.discovery import discover
from keng.check.engine import Result, look, run
from keng.check.fixes import Change, Mended, applicable, mend
from keng.check.writing import write

__all__ = ["Change", "Mended", "Result", "applicable", "discover", "look", "mend", "run", "write"]
