"""Error messages: the memory of the GPU is exhausted."""

from __future__ import annotations

import re
from typing import NamedTuple

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.device._shared_explain import amount, gib
from keng.rules import explains

TRAINS = (
    "a smaller batch with gradient accumulation, mixed precision or activation checkpointing; where "
    "it comes late in the run, something keeps the graphs of past steps"
)
WEIGHTS = (
    "the model itself is too large, before any batch: half precision (torch_dtype), fewer bits, "
    'device_map="auto", or a smaller one'
)
FILE = "what is read lies on the card beside the model: map_location='cpu' for torch.load"
STATES = (
    "the optimizer's first step makes its state, two numbers for each weight with Adam: "
    "one of 8 bits or SGD, fewer trained weights; a smaller batch gives little"
)
EVALUATES = (
    "in evaluation torch.no_grad() keeps no graphs, and outputs go to the CPU before they are "
    "collected; else a smaller batch"
)
INFERS = "fewer or smaller inputs at a time, half precision, or parts of the model on the CPU (offloading)"
TESTED = re.compile(
    r"(?:^|_)(?:eval\w*|valid\w*|val|test\w*|predict\w*|infer\w*)(?:_|$)|(?:Val|Eval|Test)(?:_|$)"
)
"""What people call a function in which nothing is learned."""
PIPES = re.compile(r"(?:^|= )pipe(?:line)?\w{0,20}\(")
TOLD = re.compile(
    r"\b(?:during|in|at|while|for|when) (?:the |my |doing )?(?:evaluat|validat|inference|testing|test phase)|"
    r"\bepochVal\b|\bvolatile\b"
)
"""What people write of a step in which nothing is learned."""
MOVES = re.compile(r"\.(?:to|cuda)\(")
LIMITED = "another process gave them back meanwhile, Windows' paging file is too small, or a limit was set"
CONTEXTS = 4.0
"""GiB, more than CUDA, cuDNN and a screen hold on a card beside tensors."""


CUDA_CONTEXT = 0.5
"""GiB, about."""


class Memory(NamedTuple):
    """What an out-of-memory message tells of a card, in GiB. `allocated` is what this process's tensors
    take, `idle` what PyTorch has reserved besides, `process` all that the process holds, `allowed` what it
    may take, 0 where no limit was set."""

    wanted: float
    total: float
    free: float
    allocated: float
    idle: float
    process: float
    allowed: float = 0.0

    @property
    def elsewhere(self) -> float:
        """What other processes hold."""
        return max(0.0, self.total - self.free - self.process)


@explains("numbers-that-tell-why")
def numbers_that_tell_why(failure: Failure) -> Hits:
    card = _memory(failure)
    yield failure.hit(
        _told_by_numbers(failure),
        wanted_gib=card.wanted,
        total_gib=card.total,
        free_gib=card.free,
    )


@explains("no-numbers")
def no_numbers(failure: Failure) -> Hits:
    yield failure.hit(_told_without_numbers(failure))


def _told_by_numbers(failure: Failure) -> str:
    """Why what was wanted is not there."""
    card, cure = _memory(failure), _by_the_line(failure)
    wanted, total, mine = amount(card.wanted), amount(card.total), amount(card.allocated)
    if not failure.groups.get("allocated"):
        return f"{wanted} more do not fit on the card: {cure}"
    if card.wanted > card.total:
        return f"{wanted} in one tensor can never fit a card of {total}: look at its shape"
    if card.allowed and card.wanted + card.allocated > card.allowed:
        return f"this process may take {_share(card.allowed, card.total)}: set_per_process_memory_fraction"
    if card.elsewhere > max(card.total / 4, card.allocated):
        return _held_elsewhere(failure, card, cure)
    if card.wanted and card.free > max(1.1 * card.wanted, card.total / 20):
        return f"{amount(card.free)} are free and {wanted} are refused: {LIMITED}"
    if card.idle > card.wanted and card.idle > card.allocated / 10:
        pieces = f"{amount(card.idle)} are reserved but idle, in pieces too small for {wanted}"
        return f"{pieces}: {_less_in_pieces(failure.message)}"
    if card.wanted > max(card.total / 4, card.allocated / 4):
        says = f"{wanted} in one tensor, beside {mine} of others, do not fit {total}"
        return f"{says}: smaller or fewer inputs at a time; look at its shape"
    return f"this program's tensors hold {_share(card.allocated, card.total)}: {cure}"


def _by_the_line(failure: Failure) -> str:
    """What helps, by where the last of the memory was asked for."""
    if failure.passed_through("torch/serialization.py") or "/safetensors/" in failure.raised_in:
        return FILE
    if any(frame.function == "from_pretrained" for frame in failure.frames) or _moves(failure):
        return WEIGHTS
    if any("/torch/optim/" in frame.posix for frame in failure.frames):
        return STATES
    if any(frame.function == "backward" for frame in failure.frames):
        return TRAINS
    if any(frame.function == "decorate_context" for frame in failure.frames):
        return INFERS  # that of no_grad as a decorator
    if PIPES.search(failure.line):
        return INFERS
    mine = [frame.function for frame in failure.frames if frame.user]
    told = not failure.frames and TOLD.search(f"{failure.message} {failure.context}")
    return EVALUATES if told or any(map(TESTED.search, mine)) else TRAINS


def _moves(failure: Failure) -> bool:
    """Whether a module was on its way to the card."""
    own = [f.function for f in failure.frames[-3:] if f.posix.endswith("nn/modules/module.py")]
    moving = not {"_apply", "convert", "cuda", "to"}.isdisjoint(own)
    return moving and MOVES.search(failure.line) is not None


def _held_elsewhere(failure: Failure, card: Memory, cure: str) -> str:
    held = _share(card.elsewhere, card.total)
    if failure.message.startswith("MPS"):
        return (
            f"Metal holds {held} beside this program's tensors, as it does for the operations of each new "
            "shape: inputs of few shapes, or a smaller batch"
        )
    if card.elsewhere > card.allocated > card.total / 4:
        both = (
            f"the desktop or the driver, and this program's tensors hold {amount(card.allocated)}"
        )
        end = f"a smaller batch, or end what `{_lister(failure.message)}` shows"
        return f"{held} lie with others, {both}: {end}"
    if failure.groups.get("process") or card.elsewhere > CONTEXTS:
        return f"other processes hold {held}: see `{_lister(failure.message)}`"
    outside = f"{held} are held beside this program's tensors, by CUDA itself, a screen or other processes"
    return (
        f"{outside} (`{_lister(failure.message)}`); where there are none, a smaller batch or model"
    )


def _lister(message: str) -> str:
    """What lists the processes on a card."""
    return "rocm-smi" if "HIP" in message else "xpu-smi" if "XPU" in message else "nvidia-smi"


def _less_in_pieces(message: str) -> str:
    """Before torch 2.1 there are no expandable segments, and an unknown option is an error."""
    kind = "HIP" if message.startswith("HIP") else "CUDA"
    if "has a total capac" in message:
        option = "expandable_segments:True"
        return f"PYTORCH_{kind}_ALLOC_CONF={option} under Linux, else a smaller batch"
    if "max_split_size_mb" in message:
        return f"PYTORCH_{kind}_ALLOC_CONF=max_split_size_mb:128, else a smaller batch"
    return "torch.cuda.empty_cache() before it, else a smaller batch"


def _told_without_numbers(failure: Failure) -> str:
    cure = _by_the_line(failure)
    if cure == TRAINS:
        shows = _lister(failure.message)
        cure = f"as a rule the batch or the model is too large for it; `{shows}` shows whether others hold it"
    return f"the card has no memory left: {cure}"


def _share(part: float, whole: float) -> str:
    """ "1.5 of 8 GiB", of GiB."""
    return f"{f'{part:.4g}' if part >= 1 else amount(part)} of {amount(whole)}"


def _memory(failure: Failure) -> Memory:
    """The groups `wanted`, `total`, `free`, `allocated`, `reserved` or `idle`, and `process`, as
    amounts. A message that does not say what the process holds leaves its CUDA context out."""
    allocated = gib(failure, "allocated")
    idle = gib(failure, "idle") or max(0.0, gib(failure, "reserved") - allocated)
    process = gib(failure, "process") or allocated + idle + CUDA_CONTEXT
    total, free = gib(failure, "total"), gib(failure, "free")
    if not failure.groups.get("free"):
        process = allocated + idle
        free = max(0.0, total - process - gib(failure, "other"))
    wanted, allowed = gib(failure, "wanted"), gib(failure, "allowed")
    return Memory(wanted, total, free, allocated, idle, process, allowed)
