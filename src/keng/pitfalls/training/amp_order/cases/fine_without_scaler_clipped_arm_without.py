# with and without a scaler; clipped in the arm without one
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")


def train(half):
    for x in torch.randn(3, 8, 4):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        if half:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()


train(True)
train(False)
