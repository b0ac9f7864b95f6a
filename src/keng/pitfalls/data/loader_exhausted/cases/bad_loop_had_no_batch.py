# a loop that had no batch
import torch
from torch.utils.data import DataLoader


def evaluate(loader):
    for x in loader:
        loss = x.mean()
    return loss.item()  # run: which alone sets `loss`


evaluate(DataLoader(torch.ones(4, 2), batch_size=8, drop_last=True))
