# any number of arguments
import torch


@torch.library.custom_op("mylib::total", mutates_args=())  # run: fixed number
def total(*parts: torch.Tensor) -> torch.Tensor:
    return sum(parts)
