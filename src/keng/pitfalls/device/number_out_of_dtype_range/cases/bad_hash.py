# a hash
import torch

x = torch.tensor(2**70)  # run: `int64`
