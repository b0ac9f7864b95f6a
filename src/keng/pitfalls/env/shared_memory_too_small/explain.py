"""Error messages: dataLoader workers run out of shared memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

POD = "an emptyDir of medium Memory at /dev/shm for the pod"


@explains("overflow")
def overflow(failure: Failure) -> Hits:
    pod = any(word in failure.context for word in ("ubernetes", "k8s", " pod"))
    more = POD if pod else "--shm-size or --ipc=host for the container"
    says = "/dev/shm is too small for the batches that the workers have under way"
    yield failure.hit(f"{says}: {more}, else fewer workers or smaller batches")


@explains("too-many-files")
def too_many_files(failure: Failure) -> Hits:
    sure = bool(failure.groups["why"])
    limit = "the limit of open files" if sure else "the limit of open files or of /dev/shm"
    cure = 'ulimit -n 65536, or set_sharing_strategy("file_system") of torch.multiprocessing'
    yield failure.hit(f"workers have reached {limit}: {cure}", sure=sure)
