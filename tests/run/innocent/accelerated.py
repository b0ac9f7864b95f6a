"""A loop under Hugging Face Accelerate."""

import torch
from torch import nn

try:
    from accelerate import Accelerator
except ImportError:
    raise SystemExit from None

accelerator = Accelerator(gradient_accumulation_steps=2)
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters())
data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = torch.utils.data.DataLoader(data, batch_size=16)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(2):
    model.train()
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.cross_entropy(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    model.eval()
    for x, y in loader:
        with torch.no_grad():
            predictions = model(x).argmax(-1)
