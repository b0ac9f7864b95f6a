"""`keng new GROUP/NAME`: begins a pitfall."""

from __future__ import annotations

import keyword
import os
import re
from errno import EEXIST

from keng import pitfalls
from keng._util import settings
from keng._util.texts import sentence, why
from keng._util.version import VERSION
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser
from keng.pitfalls import index, packs
from keng.report.places import near
from keng.report.words import Words

PITS = "pits"
"""The pack that is begun where a project has none."""
EXAMPLES = """
  keng new data/loader-without-seed               in the pack of the project, or in ./pits
  keng new data/loader-without-seed --pack lab    in another one
"""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
README = """---
severity: warning
since: {version}
---

# The mistake or symptom, with the name of the API

What happens, and why: what PyTorch does, and what it costs.

## What to do

What to write instead.

## Bad

```python
import torch

x = torch.ones(3)
x.relu()  # check: what is wrong with this line
```

## Good

```python
import torch

x = torch.ones(3)
x = x.relu()
```
"""
FINE = """# what looks like it and is right
import torch

x = torch.ones(3)
x.relu_()
"""
CHECK = '''"""Source code: what the rule finds."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def {function}(code: Code) -> Hits:
    yield from ()
'''
TEXT = """# What this pitfall says: one entry for each message, in English and Chinese.
"""


def parser() -> Parser:
    about = (
        "Create the folder of a new pitfall: its page, a rule and a case. It is written to the first pack"
        " of the project, to keng's own pitfalls inside a checkout of keng, or to ./pits, a new pack."
    )
    parser = Parser("new", about, EXAMPLES)
    parser.add_argument("name", metavar="GROUP/NAME", help="such as training/eval-mode-missing")
    output = parser.add_output()
    output.add_argument("--pack", metavar="DIR", help="the rule pack to write to")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    group, _, name = options.name.partition("/")
    home = _pack(options.pack) if options.pack else _home()
    begun = not os.path.isdir(home)
    _validate(group, name, home)
    folder = os.path.join(home, group, name.replace("-", "_"))
    try:
        _write(folder, name)
    except OSError as error:
        raise refused("new", sentence("not_creatable", why=why(error)), folder) from None
    words, pack = Words(options.lang), near(home)
    if home == index.HOME:
        print(words("new_own", folder=near(folder)))
        print(words("new_next", command=f"pytest tests/pitfalls -k {name}"))
        return 0
    print(words("new_pack" if begun else "new_in_pack", folder=near(folder), pack=pack))
    print(words("new_next", command=f"keng test-pack {pack} -k {name}"))
    if os.path.abspath(home) not in pitfalls.pack_homes():
        print(_to_load(home, words))
    return 0


def _pack(folder: str) -> str:
    """A folder that is named; keng's own by the name that the index has for it."""
    return index.HOME if os.path.abspath(folder) == index.HOME else folder


def _home() -> str:
    """The first pack of the project, keng's own pitfalls inside a checkout of keng, or a new pack."""
    if projects := packs.of_project():
        return projects[0].home
    # An editable installation is a checkout too, but pitfalls of another project do not belong in it.
    return index.HOME if index.is_checkout() and _within(_checkout()) else PITS


def _checkout() -> str:
    """Of keng: the folder that has src/keng/pitfalls."""
    return os.path.dirname(os.path.dirname(os.path.dirname(index.HOME)))


def _within(folder: str) -> bool:
    here = os.path.join(os.path.realpath(os.getcwd()), "")
    return here.startswith(os.path.join(os.path.realpath(folder), ""))


def _to_load(home: str, words: Words) -> str:
    """What to write into the configuration, and where, so that the pack is loaded."""
    file = _configuration()
    pack = os.path.relpath(home, os.path.dirname(file)).replace(os.sep, "/")
    line = f'packs = ["{pack if pack.startswith("..") else f"./{pack}"}"]'
    id = "new_load_pyproject" if os.path.basename(file) == "pyproject.toml" else "new_load"
    return words(id, line=line, file=near(file))


def _configuration() -> str:
    """The file that configures keng here, the nearest pyproject.toml, or a keng.toml that is to be made."""
    found, _ = settings.of_here() or ("", {})
    here = os.getcwd()
    files = (os.path.join(folder, "pyproject.toml") for folder in settings.above(here))
    return found or next(filter(os.path.isfile, files), os.path.join(here, "keng.toml"))


def _write(folder: str, name: str) -> None:
    """Into a folder of another name first, so that no half of a pitfall is ever loaded. Raises OSError."""
    if os.path.exists(folder):
        raise FileExistsError(EEXIST, "it exists already")
    begun = os.path.join(os.path.dirname(folder), f".{os.path.basename(folder)}")
    files = {
        "README.md": README.replace("{version}", VERSION.rpartition(".")[0]),
        "check.py": CHECK.replace("{function}", name.replace("-", "_")),
        "text.toml": TEXT,
        "cases/fine_in_place.py": FINE,
    }
    os.makedirs(os.path.join(begun, "cases"))
    for file, text in files.items():
        with open(os.path.join(begun, file), "w", encoding="utf-8") as out:
            out.write(text)
    os.rename(begun, folder)


def _validate(group: str, name: str, home: str) -> None:
    if home == index.HOME and group not in pitfalls.groups():
        near = nearest(group, pitfalls.groups())
        groups = ", ".join(pitfalls.groups())
        says = sentence("no_group_but", group=group, nearest=near, groups=groups)
        raise refused("new", says)
    if not group.isidentifier() or group == packs.RECIPES or not group.islower():
        raise refused("new", sentence("bad_group", group=group))
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise refused("new", sentence("bad_name", name=name))
    if pitfalls.is_known(name):
        known = pitfalls.pitfall(name).name
        folder = pitfalls.folder(known)
        raise refused("new", sentence("name_taken", name=name, folder=folder))
