"""Source code: processes are started by `torch.distributed.launch`."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def rank_as_an_argument(code: Code) -> Hits:
    for call in code.method_calls("add_argument"):
        names = {code.text_constant(given) for given in call.args}
        default = code.argument(call, "default")
        asks = default is not None and "LOCAL_RANK" in code.text_of(default)
        if names == {"--local_rank"} and not asks and not code.reads_environment("LOCAL_RANK"):
            says = "launchers since torch 2.0 say --local-rank, and torchrun sets LOCAL_RANK"
            yield code.hit(call, says)


@finds
def launched_from_python(code: Code) -> Hits:
    for text in code.started_modules("torch.distributed.launch"):
        yield code.hit(text, "torch.distributed.launch has given way to torchrun")
