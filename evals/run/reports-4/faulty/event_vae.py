"""A variational decoder of marked event sequences, after EDAPINENUT/GNTPP issue 4."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(23)
EVENTS, LENGTH, MARKS, LATENT = 640, 12, 6, 4


def sequences():
    lengths = torch.randint(4, LENGTH + 1, (EVENTS,))
    observed = (torch.arange(LENGTH) < lengths[:, None]).float()
    factors = torch.randn(EVENTS, LENGTH, LATENT)
    mixing = torch.randn(LATENT, MARKS)
    marks = torch.tanh(factors @ mixing) + 0.1 * torch.randn(EVENTS, LENGTH, MARKS)
    return marks * observed[..., None], observed


class EventVAE(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(MARKS, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.history = nn.GRU(MARKS, hidden, batch_first=True)
        self.to_mean, self.to_log_var = nn.Linear(hidden, LATENT), nn.Linear(hidden, LATENT)
        self.decoder = nn.Sequential(nn.Linear(LATENT + hidden, hidden), nn.SiLU(), nn.Linear(hidden, MARKS))

    def forward(self, marks):
        past = F.pad(marks, (0, 0, 1, 0))[:, :-1]
        history, _ = self.history(past)
        encoded = self.encoder(marks)
        mean, log_var = self.to_mean(encoded), self.to_log_var(encoded).clamp(-8, 4)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        return self.decoder(torch.cat([z, history], -1)), mean, log_var


def loss_terms(model, marks, observed):
    decoded, mean, log_var = model(marks)
    recon_loss = 0.5 * ((decoded - marks) / 0.2).square().sum(-1) * observed
    kl_loss = (-0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp())) * observed  # run: loss-part-summed
    count = observed.sum()
    return recon_loss.sum() / count, kl_loss.sum() / count, mean


@torch.no_grad()
def evaluate(model, marks, observed):
    model.eval()
    decoded, mean, _ = model(marks)
    error = ((decoded - marks).square().mean(-1) * observed).sum() / observed.sum()
    spread = mean[observed.bool()].var(0)
    model.train()
    return error.item(), int((spread > 0.01).sum())


marks, observed = sequences()
train, held_out = slice(0, 512), slice(512, None)
loader = DataLoader(TensorDataset(marks[train], observed[train]), batch_size=64, shuffle=True)
model = EventVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(40):
    for batch_marks, batch_observed in loader:
        recon, kl, _ = loss_terms(model, batch_marks, batch_observed)
        loss = recon + kl
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
    if epoch % 10 == 9:
        error, active = evaluate(model, marks[held_out], observed[held_out])
        print(f"epoch {epoch} reconstruction {recon.item():.4f} KL {kl.item():.4f} held-out error {error:.4f}")
error, active = evaluate(model, marks[held_out], observed[held_out])
print(f"held-out error {error:.4f} with {active} of {LATENT} latent variables in use")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
