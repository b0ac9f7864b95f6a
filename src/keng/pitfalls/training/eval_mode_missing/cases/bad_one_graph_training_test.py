# one graph for training and test
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.drop, self.two = nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3)

    def forward(self, x, links):
        return self.two(links @ self.drop(torch.relu(self.one(links @ x))))


@torch.no_grad()
def share(model, x, links, y, held_out):
    guess = model(x, links).argmax(1)  # run: `drop` is on
    return (guess[held_out] == y[held_out]).float().mean().item()


torch.manual_seed(0)
x, links, y = torch.randn(20, 4), torch.eye(20), torch.randint(3, (20,))
train, held_out = torch.arange(12), torch.arange(12, 20)
model = Net()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x, links)[train], y[train]).backward()
    optimizer.step()
    shown = share(model, x, links, y, held_out)
