"""Error messages: an open file is shared by the workers of a DataLoader."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.pitfalls.data._shared_explain import is_from_saving
from keng.rules import explains

LOADER = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py")


@explains("handle-to-be-pickled")
def handle_to_be_pickled(failure: Failure) -> Hits:
    if is_from_saving(failure) or failure.raised_in.endswith("/copy.py"):
        return  # into a file, or for a copy: no worker has a part in it
    what = failure.groups["what"]
    thing = {"h5py": "an open HDF5 file", "sqlite3.Connection": "an open database"}
    says = f"the dataset holds {thing.get(what, 'an open file')}, which a worker cannot be sent"
    cure = "keep the path, and open it in `__getitem__` when first wanted"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*LOADER))


@explains("position-moved-by-another")
def position_moved_by_another(failure: Failure) -> Hits:
    says = "workers forked after the file was opened read it side by side, from one position"
    cure = "open it in `__getitem__` when first wanted; with num_workers=0 a damaged file fails too"
    yield failure.hit(f"{says}: {cure}", sure=failure.passed_through(*LOADER))
