# one part
import torch
from torch.utils.data import DataLoader, TensorDataset

train_loader = DataLoader(TensorDataset(torch.ones(4, 2)))
x, y = next(iter(train_loader))  # run: 1 part
