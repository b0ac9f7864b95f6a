# two networks are trained by one loss, and the optimizer is given the parameters of one
import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU())  # check: no optimizer holds `encoder`
decoder = nn.Linear(4, 8)
optimizer = torch.optim.Adam(decoder.parameters(), lr=0.01)
before = encoder[0].weight.clone()
for step in range(5):
    x = torch.randn(16, 8)
    loss = (decoder(encoder(x)) - x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# proof
assert torch.equal(before, encoder[0].weight)
