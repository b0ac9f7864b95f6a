"""Calls of birds in mel spectrograms, after https://github.com/MTG/omar-rq/issues/16."""

import copy
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

RATE, LENGTH, WINDOW, BANDS, CALLS, EPOCHS = 4000, 2000, 128, 24, 6, 10
torch.manual_seed(27)


def calls(count, seed):
    """Half a second with a chirp whose pitch starts and moves by its kind, in noise."""
    generator = torch.Generator().manual_seed(seed)
    kinds = torch.randint(CALLS, (count,), generator=generator)
    time = torch.arange(LENGTH) / RATE
    pitch = 500 + 180 * kinds[:, None] + 60 * torch.randn(count, 1, generator=generator)
    slope = torch.where(kinds % 2 == 0, 900.0, -300.0)[:, None] * (1 + 0.3 * torch.randn(count, 1, generator=generator))
    begin = 0.25 * torch.rand(count, 1, generator=generator)
    inside = ((time > begin) & (time < begin + 0.2)).float()
    wave = torch.sin(2 * math.pi * (pitch * time + slope * (time - begin) ** 2)) * inside
    return wave + 0.7 * torch.randn(count, LENGTH, generator=generator), kinds


def filters():
    mel = torch.linspace(0, 2595 * math.log10(1 + RATE / 2 / 700), BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    hertz = torch.linspace(0, RATE / 2, WINDOW // 2 + 1)
    up = (hertz - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - hertz) / (edges[2:] - edges[1:-1])[:, None]
    return torch.minimum(up, down).clamp(min=0)


class MelSpectrogram(nn.Module):
    """Log energies of mel bands, with some bands and frames left out."""

    def __init__(self, bands_out=8, frames_out=12, times=2):
        super().__init__()
        self.bands_out, self.frames_out, self.times = bands_out, frames_out, times
        self.register_buffer("window", torch.hann_window(WINDOW))
        self.register_buffer("filters", filters())

    def mask(self, x, dim, most):
        size = x.shape[dim]
        width = torch.randint(most + 1, (len(x), 1))
        begin = (torch.rand(len(x), 1) * (size - width)).long()
        place = torch.arange(size)
        hidden = (place >= begin) & (place < begin + width)
        return x.masked_fill(hidden[:, :, None] if dim == 1 else hidden[:, None], 0.0)

    def leave_out(self, x):
        for _ in range(self.times):
            x = self.mask(self.mask(x, 1, self.bands_out), 2, self.frames_out)
        return x

    def forward(self, wave):
        power = torch.stft(wave, WINDOW, WINDOW // 2, window=self.window, return_complex=True).abs() ** 2
        x = (self.filters @ power + 1e-4).log()
        x = (x - x.mean((1, 2), keepdim=True)) / x.std((1, 2), keepdim=True)
        return self.leave_out(x) if self.training else x


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.spectrogram = MelSpectrogram()
        self.conv = nn.Sequential(
            nn.Conv1d(BANDS, width, 3, padding=1), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, width, 3, padding=1), nn.BatchNorm1d(width), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Linear(width, CALLS)

    def forward(self, wave):
        return self.head(self.conv(self.spectrogram(wave)).amax(2))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = right = count = 0.0
    for wave, kind in loader:
        logits = model(wave)
        loss += F.cross_entropy(logits, kind, reduction="sum").item()
        right, count = right + (logits.argmax(1) == kind).sum().item(), count + len(kind)
    model.train()
    return loss / count, right / count


train_loader = DataLoader(TensorDataset(*calls(480, 1)), batch_size=32, shuffle=True)
valid_loader = DataLoader(TensorDataset(*calls(160, 2)), batch_size=80)
test_loader = DataLoader(TensorDataset(*calls(320, 3)), batch_size=80)
model, best = Net(), (math.inf, 0, None)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(EPOCHS):
    total = 0.0
    for wave, kind in train_loader:
        loss = F.cross_entropy(model(wave), kind)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    loss, accuracy = evaluate(model, valid_loader)
    if loss < best[0]:
        best = loss, epoch + 1, copy.deepcopy(model.state_dict())
    print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} valid {loss:.4f} accuracy {accuracy:.4f}")
model.load_state_dict(best[2])
loss, accuracy = evaluate(model, test_loader)
print(f"epoch {best[1]} is kept, valid loss {best[0]:.4f}, test loss {loss:.4f} accuracy {accuracy:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
