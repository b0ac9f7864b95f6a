"""Source code: an extension asks for an older C++ than PyTorch's headers are written in."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code

STANDARDS = {"c++11": 11, "c++0x": 11, "c++14": 14, "c++1y": 14, "gnu++11": 11, "gnu++14": 14}


@finds(fixes=True)
def older_than_the_headers(code: Code) -> Hits:
    for flag, standard in code.build_flags():
        needed = 17 if code.torch_at_least("2.1") is not False else 14
        if STANDARDS.get(standard, 99) < needed and code.torch_at_least("1.5") is not False:
            fix = Fix(f"Ask for C++{needed}", (code.replace(flag, f'"-std=c++{needed}"'),))
            yield code.hit(flag, f"the headers of PyTorch need C++{needed}", fix=fix)
