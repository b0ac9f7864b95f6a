# an encoder has an optimizer of its own, and the head gets its features detached
import torch
from torch import nn

torch.manual_seed(0)
encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
before = encoder.weight.clone()
encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=0.1)
optimizer = torch.optim.Adam(head.parameters(), lr=0.1)
for _ in range(3):
    features = encoder(torch.randn(16, 4))
    loss = head(features.detach()).square().mean()  # check: `encoder` gets no gradient
    optimizer.zero_grad()
    encoder_optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    encoder_optimizer.step()

# proof
assert torch.equal(encoder.weight, before)
