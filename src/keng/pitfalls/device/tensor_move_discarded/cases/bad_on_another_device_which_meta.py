# on another device, for which meta stands in where there is no GPU
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "meta"
model = nn.Linear(3, 2).to(device)
x = torch.ones(4, 3)
x.to(device)  # check: the copy on the GPU is dropped
y = model(x)
