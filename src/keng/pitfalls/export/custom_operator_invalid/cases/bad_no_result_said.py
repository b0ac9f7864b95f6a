# no result said
import torch


@torch.library.custom_op("mylib::doubled", mutates_args=())  # run: what it gives
def doubled(x: torch.Tensor):
    return 2 * x
