"""Error messages: a way of calling something is on its way out."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.version._shared_explain import calling_package
from keng.rules import explains

INSTEAD = {
    "The epoch": "scheduler.step() without the epoch",
    "To get the": "get_last_lr() instead of get_lr()",
    "align_corners": "say align_corners: True for what older versions gave, False for today's",
    "floor": "torch.div(a, b, rounding_mode='floor') or 'trunc', whichever is meant",
    "This overload": "the factor by name and last: x.add_(y, alpha=0.5) instead of x.add_(0.5, y)",
    "broadcast_buffers": "forward_sync_buffers= in its place, which keeps the first broadcast; where each rank has buffers of its own from "
    "the start, leave it",
    "psample": "nn.functional.interpolate instead of upsample: the same arguments",
    "meshgrid": "say the order: indexing='ij' for what it gave so far",
    "out": "out= of the shape of the result, or empty: out.resize_(0)",
    "`x.T`": "x.permute(...) or x.mT instead of x.T",
    "Using a non": "register_full_backward_hook instead of register_backward_hook",
    "non-full": "register_full_backward_hook instead of register_backward_hook",
    "Positional args": "state_dict() by names: state_dict(destination=..., prefix=...), most often a library's: harmless",
    "verbose": "a scheduler without verbose=: print(scheduler.get_last_lr())",
    "only_inputs": "grad() without only_inputs, which does nothing",
    "deprecated and renamed": "min_val= and max_val= instead of min_value= and max_value=",
    "resize": "x.reshape(...) or x.view(...) instead of x.resize(...), which changes nothing in place",
    "`eps`": "gumbel_softmax without eps=, which does nothing",
    "check_reduction": "DistributedDataParallel without check_reduction=, which does nothing",
    "reset_max": "torch.cuda.reset_peak_memory_stats(), which resets all peaks",
    "grad_variables": "backward(grad_tensors=...) in place of grad_variables",
    "custom_fwd": "@torch.amp.custom_fwd(device_type='cuda'), which torch.cuda.amp.custom_fwd did without",
    "custom_bwd": "@torch.amp.custom_bwd(device_type='cuda'), which torch.cuda.amp.custom_bwd did without",
    "TypedStorage": "tensor.untyped_storage() instead of storage(), most often a library's: harmless",
}


@explains("another-way")
def another_way(failure: Failure) -> Hits:
    who, says = calling_package(failure, " "), INSTEAD[failure.groups["what"]]
    if who and failure.kind.endswith("Warning"):
        says = f"it works as before, and {who} is to change it: {says}"
    yield failure.hit(says)


@explains("through-an-old-backend")
def through_an_old_backend(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/backends/backend.py"):
        yield failure.hit(say("backend-layer-has-no"))
