"""A variational autoencoder whose prior joins slowly; then LBFGS looks for codes, and the net stays."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.distributions import Bernoulli, Normal, kl_divergence
from torch.utils.data import DataLoader


class Autoencoder(nn.Module):
    def __init__(self, code=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 2 * code))
        self.decoder = nn.Sequential(nn.Linear(code, 64), nn.ELU(), nn.Linear(64, 64))

    def posterior(self, x):
        mean, spread = self.encoder(x).chunk(2, -1)
        return Normal(mean, nn.functional.softplus(spread) + 1e-4)

    def forward(self, x):
        posterior = self.posterior(x)
        return posterior, Bernoulli(logits=self.decoder(posterior.rsample()))


def bound(model, x, weight):
    posterior, shown = model(x)
    fit = shown.log_prob(x).sum(-1)
    away = kl_divergence(posterior, Normal(0.0, 1.0)).sum(-1)
    return (weight * away - fit).mean()


def pretrain(model, x, epochs=8):
    optimizer = torch.optim.Adamax(model.parameters(), 4e-3)
    for epoch in range(epochs):
        weight = min(1.0, epoch / 4)
        for rows in DataLoader(x, 64, shuffle=True):
            optimizer.zero_grad(set_to_none=False)
            loss = bound(model, rows, weight)
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.2f}")


def search(model, wanted, steps=4):
    """The codes whose pictures come nearest, from the prior's middle."""
    codes = torch.zeros(len(wanted), 6, requires_grad=True)
    optimizer = torch.optim.LBFGS([codes], max_iter=10, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        missing = nn.functional.binary_cross_entropy_with_logits(
            model.decoder(codes), wanted, reduction="sum"
        )
        loss = missing + 0.5 * codes.square().sum()
        loss.backward()
        return loss

    return codes.detach(), [optimizer.step(closure).item() for _ in range(steps)]


def main():
    torch.manual_seed(8)
    x = (torch.tensor(load_digits().data) / 16 > 0.5).float()
    model = Autoencoder()
    pretrain(model, x)
    before = [p.clone() for p in model.parameters()]
    model.eval().requires_grad_(False)
    codes, losses = search(model, x[:16])
    print([f"{loss:.2f}" for loss in losses])
    with torch.no_grad():
        near = (model.posterior(x[:16]).mean - codes).norm(dim=1).mean()
        drawn = Bernoulli(logits=model.decoder(torch.randn(4, 6))).sample().mean()
    print(f"{near:.3f} {drawn:.3f}")
    print(all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True)))
    show(model)


if __name__ == "__main__":
    main()
