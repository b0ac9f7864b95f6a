"""Error messages: a model of the hub is not there under that name, or came damaged."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-such-model")
def no_such_model(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the repository's hubconf.py has no `{name}`: torch.hub.list(repo) shows its names"
    )


@explains("packages-missing")
def packages_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"the hub's model needs packages that are not installed: {failure.groups['names']}"
    )


@explains("not-in-timm")
def not_in_timm(failure: Failure) -> Hits:
    name = failure.groups["name"]
    weights = ", or none with weights" if "weights" in failure.message else ""
    yield failure.hit(
        f"timm of this version has no `{name}`{weights}: timm.list_models('*{name[:6]}*', pretrained=True)"
    )


@explains("weights-of-another-name")
def weights_of_another_name(failure: Failure) -> Hits:
    tag, name, known = (failure.groups.get(each) for each in ("tag", "name", "known"))
    says = f"`{name}` has no weights named `{tag}`: {known or f'timm.list_pretrained({name!r})'}"
    if tag == "encoder":
        says = f"this segmentation_models_pytorch knows no encoder `{name}`: smp.encoders.get_encoder_names(), or 'tu-{name}' for one of timm's"
    yield failure.hit(says)


@explains("cached-in-part")
def cached_in_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"the copy of {failure.groups['repo']} in the cache has no hubconf.py: force_reload=True, or delete that folder"
    )


@explains("no-repository-there")
def no_repository_there(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py") and "torch/hub" not in failure.groups["folder"]:
        yield failure.hit(
            f"`{failure.groups['folder']}` holds no hubconf.py: the folder of a clone for source='local', or source='github'"
        )


@explains("asked-for-trust")
def asked_for_trust(failure: Failure) -> Hits:
    if failure.passed_through("torch/hub.py"):
        yield failure.hit(
            "torch.hub asks whether the repository is trusted, and nobody can answer here: trust_repo=True, once it is read"
        )
