# a text
import torch

x = torch.zeros(2, dtype="float32")  # run: `torch.float32`
