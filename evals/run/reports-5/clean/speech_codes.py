"""Discrete codes of speech-like frames, after https://github.com/andylolu2/jax-vqvae-gpt/issues/2."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

BANDS, CODES, DIM, EPOCHS = 40, 32, 8, 12
torch.manual_seed(19)


def frames(count, seed):
    """Spectra of twelve vowels: three formants each, of varying gain and tilt."""
    shapes = torch.Generator().manual_seed(0)
    formants = torch.rand(12, 3, generator=shapes).cumsum(1) * torch.tensor([8.0, 11.0, 13.0]) + 2
    generator = torch.Generator().manual_seed(seed)
    vowel = torch.randint(12, (count,), generator=generator)
    center = formants[vowel] + 0.5 * torch.randn(count, 3, generator=generator)
    band = torch.arange(BANDS)
    peaks = torch.exp(-0.5 * ((band - center[..., None]) / 1.8) ** 2).sum(1)
    gain = 0.7 + 0.6 * torch.rand(count, 1, generator=generator)
    tilt = -0.02 * torch.rand(count, 1, generator=generator) * band
    return 2 * gain * peaks + tilt + 0.05 * torch.randn(count, BANDS, generator=generator), vowel


class Quantizer(nn.Module):
    def __init__(self, codes=CODES, dim=DIM, beta=0.25):
        super().__init__()
        self.codebook = nn.Embedding(codes, dim)
        self.beta = beta

    def forward(self, inputs):
        indices = torch.cdist(inputs, self.codebook.weight).argmin(1)
        quantized = self.codebook(indices)
        commitment = F.mse_loss(inputs, quantized.detach())
        codes = F.mse_loss(quantized, inputs.detach())
        quantized = inputs + (quantized - inputs).detach()
        return quantized, indices, codes + self.beta * commitment


class Coder(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(BANDS, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, DIM), nn.LayerNorm(DIM, elementwise_affine=False))
        self.quantizer = Quantizer()
        self.decoder = nn.Sequential(nn.Linear(DIM, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, BANDS))

    def forward(self, x):
        quantized, indices, loss = self.quantizer(self.encoder(x))
        return self.decoder(quantized), indices, loss


@torch.no_grad()
def evaluate(model, x, vowel):
    model.eval()
    output, indices, _ = model(x)
    table = torch.zeros(CODES, 12).index_put_((indices, vowel), torch.ones(len(x)), accumulate=True)
    purity = table.amax(1).sum() / len(x)
    model.train()
    return F.mse_loss(output, x).item(), len(indices.unique()), purity.item()


x, _ = frames(3000, 1)
valid_x, valid_vowel = frames(800, 2)
loader = DataLoader(TensorDataset(x), batch_size=60, shuffle=True)
model = Coder()
with torch.no_grad():
    model.quantizer.codebook.weight.copy_(model.encoder(x[:CODES]))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(EPOCHS):
    total = 0.0
    for (batch,) in loader:
        output, _, loss = model(batch)
        loss = F.mse_loss(output, batch) + loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 4 == 3:
        error, used, _ = evaluate(model, valid_x, valid_vowel)
        print(f"epoch {epoch + 1} loss {total / len(loader):.4f} valid error {error:.4f} codes in use {used}")
error, used, purity = evaluate(model, valid_x, valid_vowel)
print(f"reconstruction error {error:.4f} codes in use {used} purity {purity:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
