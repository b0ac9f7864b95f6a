# backwards
import torch

rows = torch.ones(2, 3, 4).flatten(2, 1)  # run: `end_dim`
