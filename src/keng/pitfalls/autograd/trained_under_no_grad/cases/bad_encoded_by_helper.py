# a helper of the evaluation encodes the training batches too, so the encoder's optimizer has no gradients
import torch
from torch import nn

encoder, head = nn.Linear(3, 3), nn.Linear(3, 1)


@torch.no_grad()
def encode(x):
    return encoder(x).relu()


def train(batches):
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for x in batches:
        encoder_optimizer.zero_grad()
        head_optimizer.zero_grad()
        head(encode(x)).square().mean().backward()  # check: `encoder_optimizer` steps after this
        encoder_optimizer.step()
        head_optimizer.step()


before = encoder.weight.clone()
train(torch.randn(2, 4, 3))

# proof
assert torch.equal(before, encoder.weight)
