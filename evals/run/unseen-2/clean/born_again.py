"""A student of the same shape as its fixed teacher, which learned from other first weights."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def net():
    return nn.Sequential(
        nn.Linear(64, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 10)
    )


def fit(model, x, y, teacher=None, heat=4.0, epochs=4):
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    for _ in range(epochs):
        model.train()
        for part in torch.randperm(len(x)).split(100):
            scores = model(x[part])
            loss = F.cross_entropy(scores, y[part])
            if teacher is not None:
                with torch.no_grad():
                    wanted = F.log_softmax(teacher(x[part]) / heat, 1)
                given = F.log_softmax(scores / heat, 1)
                loss = loss + heat**2 * F.kl_div(
                    given, wanted, reduction="batchmean", log_target=True
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model.eval()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
generations = [fit(net(), x[:1200], y[:1200])]
for _ in range(2):
    generations.append(fit(net(), x[:1200], y[:1200], generations[-1]))
with torch.no_grad():
    both = sum(model(x[1200:]).softmax(1) for model in generations) / 3
print(f"{(both.argmax(1) == y[1200:]).float().mean().item():.3f}")
show(*generations)
