# a helper rounds the output of a network by a list, and its optimizer steps on the loss behind that
import torch
from torch import nn

encoder, decoder = nn.Linear(2, 2), nn.Linear(2, 2)


def codes(x):
    rows = encoder(x).tolist()
    return torch.tensor(rows).round()


def train(batches):
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=0.1)
    for x in batches:
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        loss = (decoder(codes(x)) - x).square().mean()
        loss.backward()  # check: `encoder_optimizer` steps after this on no gradient
        encoder_optimizer.step()
        decoder_optimizer.step()


before = encoder.weight.clone()
train(torch.randn(2, 4, 2))

# proof
assert torch.equal(before, encoder.weight)
