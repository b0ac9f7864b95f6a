# an order
import torch
from torch import nn

model = nn.Sequential(nn.ReLU(), nn.Linear(2, 2)).eval()
model = torch.ao.quantization.fuse_modules(model, ["0", "1"])  # run: `ReLU, Linear`
