"""Source code: processes are started by `torch.distributed.launch`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

STARTERS = ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn")


@finds(mentions=["add_argument"])
def rank_as_an_argument(code: Code) -> Hits:
    for call in code.calls.method_calls("add_argument"):
        names = {code.flow.text_constant(given) for given in call.args}
        default = code.calls.argument(call, "default")
        asks = default is not None and "LOCAL_RANK" in code.text_of(default)
        if not code.torch_may_be("2.0"):
            continue
        if names == {"--local_rank"} and not asks and not _reads_environment(code, "LOCAL_RANK"):
            says = say("launchers-since-torch-say")
            yield code.hit(call, says)


@finds
def launched_from_python(code: Code) -> Hits:
    for text in _started_modules(code, "torch.distributed.launch"):
        yield code.hit(text, say("torch-distributed-launch-has"), level="hint", once=True)


def _reads_environment(code: Code, name: str) -> bool:
    """Whether the file reads or sets a variable of the environment."""
    return any(isinstance(node.value, str) and node.value == name for node in code.of(ast.Constant))


def _started_modules(code: Code, module: str) -> Iterator[ast.Constant]:
    """Texts that name a module to be run, in a command that is given to another process or put
    together as a list."""
    for text in code.of(ast.Constant) if module.encode() in code.tree.data else ():
        if not isinstance(text.value, str) or module not in text.value:
            continue
        listed = isinstance(code.tree.parent.get(text), ast.List) and text.value == module
        call = code.around(text, ast.Call)
        if listed or (call is not None and code.names.resolve(call.func).startswith(STARTERS)):
            yield text
