# in a function
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu  # check: the device above has started CUDA
    return torch.ones(3, device=device)


x = main("1")

# proof
assert x.is_cuda
