# no namespace
import torch


@torch.library.custom_op("halved", mutates_args=())  # run: a namespace
def halved(x: torch.Tensor) -> torch.Tensor:
    return x / 2
