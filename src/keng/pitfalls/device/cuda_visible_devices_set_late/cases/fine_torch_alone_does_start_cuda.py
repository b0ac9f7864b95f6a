# importing torch does not initialize CUDA; another function; one of two branches
import os
import sys

import torch


def probe():
    return torch.ones(3, device="cuda")


os.environ["CUDA_VISIBLE_DEVICES"] = "0"
if len(sys.argv) > 5:
    print(torch.cuda.is_available())
else:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
