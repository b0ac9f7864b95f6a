import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def flips(x):
    yield x
    yield x.flip(-1)
    yield x.flip(-2)


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    @torch.no_grad()
    def forward(self, x):
        probs = [m(v).softmax(1) for m in self.members for v in flips(x)]
        return torch.stack(probs).mean(0)


def member():
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1), nn.Linear(8, 4))


def train(model, loader, epochs=1):
    opt = torch.optim.Adam(model.parameters())
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return model


def predict(model, loader):
    outs, ys = [], []
    for x, y in loader:
        outs.append(model(x))
        ys.append(y)
    return torch.cat(outs), torch.cat(ys)


data = TensorDataset(torch.rand(64, 3, 16, 16), torch.randint(4, (64,)))
loader = DataLoader(data, 16, shuffle=True)
ens = Ensemble([train(member(), loader) for _ in range(3)]).eval()
prob, y = predict(ens, DataLoader(data, 32))
nll = nn.functional.nll_loss(prob.clamp_min(1e-8).log(), y)
print(nll.item(), (prob.argmax(1) == y).float().mean().item())
