# a name to look up
import torch

dtype = torch.dtype("float32")  # run: `getattr`
