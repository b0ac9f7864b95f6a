# of another device
import torch

a, places = torch.ones(2, 2), torch.zeros(2, 1, dtype=torch.long)
torch.gather(a, 1, places, out=torch.empty(0, device="meta"))  # run: `meta`
