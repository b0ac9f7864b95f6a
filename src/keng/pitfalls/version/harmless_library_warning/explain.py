"""Error messages: a library beside PyTorch warns of something that changes no result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("older-files")
def older_files(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['folder']}` holds files already: new ones are written beside the older ones, as NAME-v1 where the name is taken"
    )


@explains("registered-again")
def registered_again(failure: Failure) -> Hits:
    name, home = failure.groups["name"], failure.groups["home"]
    yield failure.hit(
        f"timm.create_model('{name}') gives that of {home} from now on, which was registered last: right where that package is meant"
    )


@explains("kept-until-reset")
def kept_until_reset(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` cannot be counted batch by batch and keeps all of them: reset() after each epoch, and memory for one"
    )
