# a text to convert to
import torch

x = torch.ones(2).type("int64")  # run: `torch.int64`
