"""Error messages: a container cannot be given the cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

REGISTER = (
    "`sudo nvidia-ctk runtime configure --runtime=docker`, then `sudo systemctl restart docker`"
)


@explains("toolkit-missing")
def toolkit_missing(failure: Failure) -> Hits:
    says = f"Docker has no NVIDIA Container Toolkit: install it, {REGISTER}"
    yield failure.hit(says, sure=False)  # any program's container


@explains("toolkit-in-pieces")
def toolkit_in_pieces(failure: Failure) -> Hits:
    yield failure.hit(
        f"Docker calls {failure.groups['name']}, which is not there: install nvidia-container-toolkit anew, in one version"
    )


@explains("driver-of-the-host")
def driver_of_the_host(failure: Failure) -> Hits:
    yield failure.hit(
        f"the host's own driver does not run ({failure.groups['why']}): `nvidia-smi` on the host, not in the container, must show the "
        "card; Docker Desktop for Linux has none to give"
    )


@explains("driver-too-old")
def driver_too_old(failure: Failure) -> Hits:
    yield failure.hit(
        f"the image asks for {failure.groups['wants']}, and the host's driver is older: update it, or take an older image"
    )


@explains("card-not-there")
def card_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no card {failure.groups['card']} here: `nvidia-smi -L` lists them, `sudo nvidia-ctk cdi generate "
        "--output=/etc/cdi/nvidia.yaml` describes them to CDI"
    )


@explains("no-node-has-one")
def no_node_has_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['nodes']} nodes have no free card: all are taken, or NVIDIA's device plugin does not run"
    )


@explains("no-cards-in-wsl")
def no_cards_in_wsl(failure: Failure) -> Hits:
    says = "a WSL without cards wants a newer Windows and driver; on plain Linux it is harmless"
    yield failure.hit(says, sure=False)
