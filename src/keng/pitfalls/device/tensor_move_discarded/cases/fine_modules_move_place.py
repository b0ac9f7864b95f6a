# modules, which move in place
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
model.to(device)
criterion = nn.CrossEntropyLoss()
criterion.to(device)


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.to(torch.float64)
        self.inner.cpu()


Wrapped().cpu()
