# two optimizers that alternate with one loss
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
turns = [torch.optim.SGD(part.parameters(), lr=0.01) for part in (encoder, decoder)]
for step in range(20):
    x = torch.randn(8, 4)
    loss = (decoder(encoder(x)) - x).square().mean()
    for optimizer in turns:
        optimizer.zero_grad()
    loss.backward()
    turns[step // 5 % 2].step()
