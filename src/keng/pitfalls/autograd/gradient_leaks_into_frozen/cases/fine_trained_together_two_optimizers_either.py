# trained together, with two optimizers in either order; updated by hand
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(2, 4), nn.Linear(4, 1)
first = torch.optim.SGD(encoder.parameters(), lr=0.01)
second = torch.optim.SGD(decoder.parameters(), lr=0.01)
for order in ((first, second), (second, first)):
    for step in range(6):
        for optimizer in order:
            optimizer.zero_grad()
        decoder(encoder(torch.randn(8, 2))).square().mean().backward()
        for optimizer in order:
            optimizer.step()
for step in range(6):
    second.zero_grad()
    encoder.zero_grad()
    decoder(encoder(torch.randn(8, 2))).square().mean().backward()
    second.step()
    with torch.no_grad():
        for p in encoder.parameters():
            p -= 0.01 * p.grad
