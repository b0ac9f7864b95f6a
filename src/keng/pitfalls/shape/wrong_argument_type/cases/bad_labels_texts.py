# labels that are texts
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader([(torch.ones(2), "cat"), (torch.ones(2), "dog")], batch_size=2)
images, labels = next(iter(loader))
loss = nn.CrossEntropyLoss()(images, labels)  # run: `labels that are strings`
