"""Which sample a DataLoader was fetching when its dataset raised, as far as its frames tell."""

from __future__ import annotations

from typing import Any

from keng.explain.live import Fetched, LiveError

FETCH = "torch/utils/data/_utils/fetch.py"
MOST_TOLD = 8
LOADER = "torch/utils/data/dataloader.py"


def fetched_in(error: LiveError) -> Fetched | None:
    """The sample that the user's dataset was asked for, or that the process itself fetches; where a worker
    does, the batch, and the samples of it where these come in order."""
    fetching = False
    asked: list[Any] = []
    for frame in error.frames:
        code = frame.f_code
        path = code.co_filename.replace("\\", "/")
        if path.endswith(LOADER) and code.co_name == "_process_data":
            return sent_by(frame.f_locals["self"], error.torch)
        if path.endswith(FETCH):
            fetching = True
            batch = frame.f_locals.get("possibly_batched_index")
            asked.append(frame.f_locals.get("idx", batch))
            if code.co_name == "fetch" and "data" in frame.f_locals and "idx" not in frame.f_locals:
                return _together(batch)  # all are there, and are put together
        if fetching and code.co_name == "__getitem__" and code.co_argcount == 2:
            asked.append(frame.f_locals.get(code.co_varnames[1]))
    whole = [index for index in asked if type(index) is int]
    return Fetched(0, str(whole[-1])) if whole else None


def _together(batch: Any) -> Fetched | None:
    """The samples of a batch, of which those that follow each other are told by two."""
    if type(batch) is not list or not batch or not all(type(each) is int for each in batch):
        return None
    first, last = batch[0], batch[-1]
    in_order = batch == list(range(first, last + 1)) and len(batch) > 1
    shown = f"{first}-{last}" if in_order else ", ".join(map(str, batch[:MOST_TOLD]))
    return Fetched(0, shown if len(batch) <= MOST_TOLD or in_order else f"{shown}, ...")


def sent_by(iterator: Any, torch: Any) -> Fetched | None:
    """What a worker was sent. A loader that hands on batches as they come does not count them."""
    if not getattr(iterator, "_in_order", True):
        return None
    done = int(iterator._rcvd_idx) - 1
    batches = iterator._index_sampler
    data = torch.utils.data
    if type(batches) is data.BatchSampler and type(batches.sampler) is data.SequentialSampler:
        first = done * batches.batch_size
        last = min(first + batches.batch_size, len(batches.sampler)) - 1
        return Fetched(done + 1, str(first) if first == last else f"{first}-{last}")
    if type(batches) is data.SequentialSampler:
        return Fetched(0, str(done))
    return Fetched(done + 1)
