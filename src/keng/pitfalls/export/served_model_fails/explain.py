"""Error messages: a server of models cannot start a model, or feeds it otherwise than it was configured."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("worker-died")
def worker_died(failure: Failure) -> Hits:
    yield failure.hit(
        "the handler has failed in its worker: what it raised stands above, in the lines of the same worker, or nowhere where memory was out"
    )


@explains("handler-not-found")
def handler_not_found(failure: Failure) -> Hits:
    names = re.findall(r"([^'.]{1,80})'>", failure.groups["has"])
    has = f"{len(names)} classes, {', '.join(names[:4])}" if names else "no class and no function"
    yield failure.hit(
        f"the handler's module defines {has}: one class alone, the others in a file of --extra-files, or a function handle(data, context)"
    )


@explains("answers-of-another-number")
def answers_of_another_number(failure: Failure) -> Hits:
    of = "{got} answers to {wants} requests".format(**failure.groups)
    of = of if failure.groups["got"] else "another number of answers than requests"
    yield failure.hit(f"the handler returns {of}: one entry of a list for each")


@explains("configured-otherwise")
def configured_otherwise(failure: Failure) -> Hits:
    wants, what, has = (failure.groups[name] for name in ("wants", "what", "has"))
    says = f"config.pbtxt names {what} {wants}, and the model has {has}: see `input` and `output`"
    yield failure.hit(says)


@explains("fed-otherwise")
def fed_otherwise(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` has another {what} than config.pbtxt says: dims leave out the batch where max_batch_size is above zero"
    )


@explains("stub-ended")
def stub_ended(failure: Failure) -> Hits:
    yield failure.hit(
        "the process of the Python backend has ended: its log above tells why, else shared memory (--shm-size, --ipc=host) or memory is out"
    )


@explains("worker-silent")
def worker_silent(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(
            "a worker was silent for gunicorn's 30 seconds, loading or computing: --timeout 120; after --preload load the model in each worker, as threads of the parent are not there"
        )
