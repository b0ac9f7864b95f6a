"""Dense depth from a few samples of it, after https://github.com/fangchangma/sparse-to-dense.pytorch/issues/19."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

SIZE, SAMPLES, EPOCHS = 16, 24, 90
torch.manual_seed(13)


def render(rng):
    """A sloping floor with three boxes in front of it."""
    y, x = np.mgrid[:SIZE, :SIZE] / SIZE
    slope = rng.uniform(-1, 1, 2)
    depth = 3 + slope[0] * x + slope[1] * y
    for _ in range(3):
        left, top = rng.randint(0, SIZE - 4, 2)
        width, height = rng.randint(4, 9, 2)
        depth[top : top + height, left : left + width] = rng.uniform(0.5, 2.5)
    shade = 1 / depth + 0.1 * rng.normal(size=depth.shape)
    return depth, shade


def sparse(depth, rng):
    kept = rng.uniform(size=depth.shape) < SAMPLES / SIZE**2
    return np.where(kept, depth, 0.0), kept


class Rendered(Dataset):
    """Scenes that are rendered when they are asked for."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        depth, shade = render(np.random)
        samples, kept = sparse(depth, np.random)
        planes = np.stack([shade, samples, kept])
        return torch.tensor(planes, dtype=torch.float32), torch.tensor(depth, dtype=torch.float32)[None]


def fixed_scenes(count, seed):
    rng, items = np.random.RandomState(seed), []
    for _ in range(count):
        depth, shade = render(rng)
        samples, kept = sparse(depth, rng)
        items.append((np.stack([shade, samples, kept]), depth[None]))
    planes, depths = (torch.tensor(np.stack(each), dtype=torch.float32) for each in zip(*items))
    return planes, depths


class DepthNet(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.enter = nn.Conv2d(3, width, 3, padding=1)
        self.down = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.middle = nn.Conv2d(2 * width, 2 * width, 3, padding=1)
        self.leave = nn.Conv2d(3 * width, width, 3, padding=1)
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        high = F.relu(self.enter(x))
        low = F.relu(self.middle(F.relu(self.down(high))))
        both = torch.cat([high, F.interpolate(low, scale_factor=2)], 1)
        return 2.0 + self.out(F.relu(self.leave(both)))


@torch.no_grad()
def evaluate(model, planes, depths):
    output = model(planes)
    return (output - depths).square().mean().sqrt().item(), ((output - depths).abs() / depths).mean().item()


def main():
    train_loader = DataLoader(
        Rendered(18),
        batch_size=6,
        shuffle=True,
        num_workers=2,
        worker_init_fn=lambda work_id: np.random.seed(torch.initial_seed() % 2**32),
    )
    valid = fixed_scenes(200, 1)
    model = DepthNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(EPOCHS):
        total = 0.0
        for planes, depths in train_loader:
            loss = F.l1_loss(model(planes), depths)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        schedule.step()
        if epoch % 30 == 29:
            rmse, relative = evaluate(model, *valid)
            print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} valid rmse {rmse:.4f} relative {relative:.4f}")
    rmse, relative = evaluate(model, *fixed_scenes(400, 2))
    print(f"test rmse {rmse:.4f} relative {relative:.4f}")
    print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")


main()
