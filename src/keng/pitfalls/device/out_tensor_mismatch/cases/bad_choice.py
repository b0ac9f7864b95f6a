# a choice
import torch

a, rows = torch.ones(2, 2), torch.zeros(1, 2, dtype=torch.long)
torch.index_select(a, 0, torch.tensor([1]), out=rows)  # run: `index_select`
