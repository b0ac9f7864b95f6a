"""Looks at source files without running them: files -> findings -> fixes.

config.py       `[tool.keng]` of pyproject.toml, or keng.toml: the nearest one above each file
rules.py        what is looked for in each file: the command line over the configuration
patterns.py     patterns of paths, as in a .gitignore
gitignore.py    what the .gitignore files say
discovery.py    the files that are meant by the paths of a command line
looking.py      runs the finders of pitfalls over files
pool.py         work in several processes
engine.py       portions of files, one after the other or several at once
places.py       where findings are told that lie in a cell of a notebook, or in a block of a page
clean.py        files in which nothing was found, which need no second look
prints.py       finger-prints of findings, which survive that lines move
baseline.py     findings that are known and borne with
fixes.py        makes fixes in texts, over and over until nothing is left to fix
ignoring.py     writes the comments that silence findings
writing.py      puts texts into files
"""

from keng.check.add_ignores import Ignored, ignore
from keng.check.analyzer import look
from keng.check.baseline import Baseline, as_json, entries, load_baseline
from keng.check.config import Configs, Settings
from keng.check.discovery import discover
from keng.check.engine import Result, Terms, counted, run
from keng.check.fingerprints import prints_in
from keng.check.fixes import Change, Mended, applicable, mend
from keng.check.locations import noted, placed, texts
from keng.check.rules import Rules, Wanted
from keng.check.write_files import write

__all__ = [
    "Baseline",
    "Change",
    "Configs",
    "Ignored",
    "Mended",
    "Result",
    "Rules",
    "Settings",
    "Terms",
    "Wanted",
    "applicable",
    "as_json",
    "counted",
    "discover",
    "entries",
    "ignore",
    "load_baseline",
    "look",
    "mend",
    "noted",
    "placed",
    "prints_in",
    "run",
    "texts",
    "write",
]
