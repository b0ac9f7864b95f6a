"""`keng new GROUP/NAME`: begins a pitfall."""

from __future__ import annotations

import keyword
import os
import re
from errno import EEXIST

from keng import pitfalls
from keng._util.texts import sentence, why
from keng._util.version import VERSION
from keng.cli.commands import nearest, refused
from keng.cli.options import Parser
from keng.pitfalls import index, packs

PITS = "pits"
"""The pack that is begun where a project has none."""
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
    parser = Parser("new", "Create the folder of a new pitfall: its page, a rule and a case.")
    parser.add_argument("name", metavar="GROUP/NAME", help="such as training/eval-mode-missing")
    what = "the rule pack to write to; by default that of the project, or ./pits"
    parser.add_argument("--pack", metavar="DIR", help=what)
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    group, _, name = options.name.partition("/")
    home = options.pack or _home()
    _validate(group, name, home)
    folder = os.path.join(home, group, name.replace("-", "_"))
    try:
        _write(folder, name)
    except OSError as error:
        raise refused("new", sentence("not_creatable", why=why(error)), folder) from None
    own = home == index.HOME
    test = f"pytest tests/pitfalls -k {name}" if own else f"keng test-pack {home} -k {name}"
    print(f"{folder}\nfill in README.md first, then: {test}")
    if not own and os.path.abspath(home) not in pitfalls.pack_homes():
        print(f"and name the pack in pyproject.toml, below [tool.keng]: packs = [{_written(home)}]")
    return 0


def _home() -> str:
    """The first pack of the project, keng's own pitfalls in a checkout, or a new pack."""
    if projects := packs.of_project():
        return projects[0].home
    return index.HOME if index.is_checkout() else PITS


def _written(home: str) -> str:
    """As TOML."""
    return f'"{home}"' if os.path.isabs(home) else f'"./{os.path.normpath(home)}"'


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
