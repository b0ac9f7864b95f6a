# of all that have a gradient
import torch
from torch import nn

model = nn.Linear(8, 1).to("cuda")
model(torch.randn(4, 8, device="cuda")).mean().backward()
norms = {}
for name, p in model.named_parameters():
    if p.grad is not None:
        norms[name] = p.grad.norm().item()  # check: one wait a parameter

# proof
import warnings

with warnings.catch_warnings(record=True) as waits:
    warnings.simplefilter("always")
    torch.cuda.set_sync_debug_mode("warn")
    [p.grad.norm().item() for p in model.parameters()]
    torch.cuda.set_sync_debug_mode("default")
assert len(waits) >= 2
