# labels that are texts
import torch
from torch.utils.data import DataLoader

loader = DataLoader([(torch.ones(2), "cat"), (torch.ones(2), "dog")], batch_size=2)
for images, labels in loader:
    labels = labels.to("cpu")  # run: `labels that are strings`
