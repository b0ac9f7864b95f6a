"""Error messages: an open file is shared by the workers of a DataLoader."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.data._shared_explain import is_from_saving
from keng.rules import explains

LOADER = ("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py")


@explains("handle-to-be-pickled")
def handle_to_be_pickled(failure: Failure) -> Hits:
    if is_from_saving(failure) or failure.raised_in.endswith("/copy.py"):
        return  # into a file, or for a copy: no worker has a part in it
    what = failure.groups["what"]
    held = {"h5py": say("holds-hdf5-file"), "sqlite3.Connection": say("holds-database")}
    says = held.get(what, say("holds-open-file"))
    yield failure.hit(says, sure=failure.passed_through(*LOADER))


@explains("position-moved-by-another")
def position_moved_by_another(failure: Failure) -> Hits:
    yield failure.hit(say("file-position-shared"), sure=failure.passed_through(*LOADER))
