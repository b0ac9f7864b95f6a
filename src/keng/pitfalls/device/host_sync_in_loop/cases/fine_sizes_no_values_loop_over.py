# sizes, which are no tensor values; a loop over batches; only in case of an error
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 1).to(device)
size, total = 0, 0.0
for p in model.parameters():
    size += float(p.numel())
    if p.ndim > 5:
        print(p.norm().item())
for x in torch.randn(4, 2, 8, device=device):
    total += model(x).mean().item()
