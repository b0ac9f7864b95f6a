"""Source code: a forked process uses CUDA."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def dataset_that_uses_cuda(code: Code) -> Hits:
    for call in code.calls_to("torch.utils.data.DataLoader"):
        dataset = code.value_of(code.argument(call, "dataset", position=0)).definition
        workers = code.argument(call, "num_workers", position=5)
        if dataset is None or not code.is_positive(workers):
            continue
        used = dataset.code.cuda_in_items(dataset)
        if used is None or code.argument(call, "multiprocessing_context") is not None:
            continue
        if any(code.method_calls("set_start_method")):
            continue
        says = f"`{dataset.name}` puts its items on the GPU, which forked workers cannot"
        yield code.hit(call, says, line=used.lineno)


@finds
def forked_after_cuda_started(code: Code) -> Hits:
    for call, name, used in code.forked_with_cuda():
        started = code.starts_cuda_before(call)
        if started is not None:
            says = f"`{name}` uses CUDA, which line {started.lineno} starts before this forks"
            yield code.hit(call, says, line=used.lineno)
