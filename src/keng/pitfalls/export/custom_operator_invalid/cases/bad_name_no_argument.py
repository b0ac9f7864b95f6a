# a name that is no argument
import torch


@torch.library.custom_op("mylib::filled", mutates_args={"out"})  # run: `mutates_args`
def filled(x: torch.Tensor) -> None:
    x.fill_(1)
