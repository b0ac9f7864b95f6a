# a list
import torch

x = torch.frombuffer([1, 2], dtype=torch.int64)  # run: `torch.tensor(x)`
