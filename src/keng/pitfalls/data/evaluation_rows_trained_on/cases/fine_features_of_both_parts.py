# the features of some training rows and of the test rows, for a head that is trained on the first
import torch
from torch import nn

torch.manual_seed(0)
train, test = torch.randn(400, 6), torch.randn(200, 6)
encoder = nn.Linear(6, 4)
decoder = nn.Linear(4, 6)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
for epoch in range(3):
    for rows in torch.randperm(400).split(40):
        loss = (decoder(encoder(train[rows])) - train[rows]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
few = torch.randperm(400)[:50]
with torch.no_grad():
    known, unknown = encoder(train[few]), encoder(test)
print(known.std().item(), unknown.std().item())
