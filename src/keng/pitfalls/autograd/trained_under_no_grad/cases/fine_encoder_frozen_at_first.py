# the encoder runs without gradients as long as its optimizer does not step
import torch
from torch import nn

encoder, head = nn.Linear(3, 3), nn.Linear(3, 1)


def encode(x, learns):
    with torch.set_grad_enabled(learns):
        return encoder(x).relu()


def train(batches, frozen):
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for step, x in enumerate(batches):
        learns = step >= frozen
        encoder_optimizer.zero_grad()
        head_optimizer.zero_grad()
        head(encode(x, learns)).square().mean().backward()
        if learns:
            encoder_optimizer.step()
        head_optimizer.step()


train(torch.randn(4, 4, 3), frozen=2)
