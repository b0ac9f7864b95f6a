# a target branch; a codebook that is moved by hand; a part that is frozen; a part without use
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.predictor = nn.Linear(6, 4), nn.Linear(4, 4)
        self.codes, self.unused = nn.Parameter(torch.randn(8, 4)), nn.Linear(4, 2)
        self.frozen, self.out = nn.Linear(6, 4).requires_grad_(False), nn.Linear(4, 1)

    def forward(self, one, two):
        z, target = self.encoder(one), self.encoder(two).detach()
        nearest = torch.cdist(z, self.codes).argmin(1)
        quantized = z + (self.codes[nearest] - z).detach()
        self.note = self.unused(z).argmax(-1)
        self.nearest, self.z = nearest, z.detach()
        return self.predictor(z), target, self.out(quantized + self.frozen(one))

    def move(self):
        self.codes.data[self.nearest] += 0.1 * (self.z - self.codes.data[self.nearest])


model = Model()
optimizer = torch.optim.Adam(model.parameters())
for step in range(40):
    x = torch.randn(16, 6)
    p, target, out = model(x, x + 0.1 * torch.randn_like(x))
    loss = F.mse_loss(p, target) + F.mse_loss(out, x[:, :1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.move()
