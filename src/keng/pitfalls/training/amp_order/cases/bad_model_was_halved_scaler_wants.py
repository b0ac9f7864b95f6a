# a model that was halved; the scaler wants float32 weights
import torch
from torch import nn

model = nn.Linear(4, 1).half()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(model(torch.ones(2, 4).half()).sum()).backward()
scaler.step(optimizer)  # run: `Load the model in float32`
scaler.update()
