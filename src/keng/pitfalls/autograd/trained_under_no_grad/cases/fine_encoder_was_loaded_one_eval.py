# an encoder that was loaded; one in eval mode; one that no optimizer has; a fixed metric; one frozen for a while; one that also runs with gradients
import torch
from torch import nn


class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder, self.head = encoder, nn.Linear(8, 3)
        self.learns = False

    def forward(self, x):
        with torch.no_grad():
            features = self.encoder(x)
        return self.head(features)


class Later(Probe):
    def forward(self, x):
        if self.learns:
            return self.head(self.encoder(x))
        with torch.no_grad():
            features = self.encoder(x)
        return self.head(features)


class Recycled(Probe):
    def forward(self, x):
        with torch.no_grad():
            first = self.encoder(x)
        return self.head(self.encoder(x) + first)


class Curious(nn.Module):
    def __init__(self):
        super().__init__()
        self.measure, self.guess = nn.Linear(4, 8), nn.Linear(4, 8)

    def forward(self, x):
        with torch.no_grad():
            goal = self.measure(x)
        return (self.guess(x) - goal).square()


def train(model, parameters):
    optimizer = torch.optim.Adam(parameters)
    for step in range(8):
        optimizer.zero_grad()
        model(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
pretrained, encoder = nn.Linear(4, 8), nn.Linear(4, 8)
encoder.load_state_dict(pretrained.state_dict())
loaded = Probe(encoder)
train(loaded, loaded.parameters())
still = Probe(nn.Linear(4, 8))
still.encoder.eval()
train(still, still.parameters())
random = Probe(nn.Linear(4, 8))
train(random, random.head.parameters())
for other in (Later(nn.Linear(4, 8)), Recycled(nn.Linear(4, 8)), Curious()):
    train(other, other.parameters())
