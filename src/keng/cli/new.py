"""`keng new GROUP/NAME`: begins a unit of the catalogue."""

from __future__ import annotations

import keyword
import os
import re

from keng import pitfalls
from keng.cli.main import Usage, nearest
from keng.cli.options import Parser

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SKELETON = '''r"""What goes wrong, in one sentence.

Why it goes wrong: what PyTorch does, and what it costs.

Cure: what to write.

Bad:

```python
import torch

x = torch.ones(3)
x.relu()  # here: what is wrong with this line
```

Good:

```python
import torch

x = torch.ones(3)
x = x.relu()
```

Fine (what looks like it and is right):

```python
import torch

x = torch.ones(3)
x.relu_()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def {function}(code: Code) -> Hits:
    yield from ()
'''


def main(args: list[str]) -> int:
    parser = Parser("new", "Begin a new pitfall: one file, with its page and a facet.")
    parser.add_argument("name", metavar="GROUP/NAME", help="as in training/eval-mode-missing")
    options = parser.parse(args)
    group, _, name = options.name.partition("/")
    _validate(group, name)
    file = os.path.join(pitfalls.HOME, group, f"{name.replace('-', '_')}.py")
    try:
        with open(file, "x", encoding="utf-8") as out:
            out.write(SKELETON.replace("{function}", name.replace("-", "_")))
    except OSError as error:
        raise Usage(f"new: cannot write {file}: {error.strerror}") from None
    print(f"{file}\nfill in Bad and Good first, then: pytest tests/test_every_pitfall.py -k {name}")
    return 0


def _validate(group: str, name: str) -> None:
    if group not in pitfalls.groups():
        near = nearest(group, pitfalls.groups())
        raise Usage(f"new: no group `{group}`{near}; there are {', '.join(pitfalls.groups())}")
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Usage(f"new: `{name}` is no name: small letters and digits, with hyphens between")
    if name in pitfalls.names():
        raise Usage(f"new: there is a pitfall {name} already: {pitfalls.names()[name]}")
