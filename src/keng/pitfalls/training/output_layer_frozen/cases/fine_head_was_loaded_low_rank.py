# a head that was loaded; low-rank matrices next to frozen ones; random features before a head that learns; a critic that has learned; a frozen network used as a measure
import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer, self.down = (
            layer.requires_grad_(False),
            nn.Linear(layer.in_features, 2, bias=False),
        )
        self.up = nn.Linear(2, layer.out_features, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))


def train(model, loss, optimizer):
    for step in range(6):
        optimizer.zero_grad()
        loss(model(torch.randn(16, 4))).backward()
        optimizer.step()


torch.manual_seed(0)
pretrained = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model.load_state_dict(pretrained.state_dict())
model[2].requires_grad_(False)
train(model, lambda out: out.square().mean(), torch.optim.Adam(model[0].parameters()))
model = nn.Sequential(LowRank(model[0]), nn.ReLU(), LowRank(model[2]))
train(model, lambda out: out.square().mean(), torch.optim.Adam(model.parameters()))
model = nn.Sequential(nn.Linear(4, 32).requires_grad_(False), nn.ReLU(), nn.Linear(32, 1))
train(model, lambda out: out.square().mean(), torch.optim.SGD(model[2].parameters(), lr=0.1))
critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
train(critic, lambda out: out.square().mean(), torch.optim.Adam(critic.parameters()))
critic.requires_grad_(False)
generator = nn.Linear(4, 4)
train(nn.Sequential(generator, critic), torch.mean, torch.optim.Adam(generator.parameters()))
measure = nn.Linear(4, 4).requires_grad_(False)
train(generator, lambda out: measure(out).square().mean(), torch.optim.Adam(generator.parameters()))
