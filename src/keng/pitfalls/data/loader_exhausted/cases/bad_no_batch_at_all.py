# no batch at all
import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.ones(4, 2), batch_size=8, drop_last=True)
x = next(iter(loader))  # run: `drop_last=True`
