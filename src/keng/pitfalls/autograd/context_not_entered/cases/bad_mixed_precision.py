# mixed precision
import torch
from torch import nn

model = nn.Linear(4, 2)
torch.autocast("cpu", dtype=torch.bfloat16)  # check: nothing is cast
y = model(torch.randn(1, 4))

# proof
assert y.dtype == torch.float32
