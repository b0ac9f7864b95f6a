# by a dict
import torch

x = torch.ones(1).pin_memory(**{"async": True})  # run: `non_blocking`
