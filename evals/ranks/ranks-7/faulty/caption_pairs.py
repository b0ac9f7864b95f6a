"""Two encoders learn which caption belongs to which image, with the negatives of all ranks."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

PAIRS, LATENT = 1536, 10


class TwoTowers(nn.Module):
    def __init__(self, images=40, captions=30, dim=16):
        super().__init__()
        self.image = nn.Sequential(nn.Linear(images, 64), nn.ReLU(), nn.Linear(64, dim))
        self.caption = nn.Sequential(nn.Linear(captions, 64), nn.ReLU(), nn.Linear(64, dim))
        self.scale = nn.Parameter(torch.tensor(2.0))

    def features(self, images, captions):
        return F.normalize(self.image(images), dim=1), F.normalize(self.caption(captions), dim=1), self.scale.exp()

    def forward(self, images, captions):
        return contrast(*self.features(images, captions))


def gather(features):
    parts = [torch.empty_like(features) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, features.contiguous())
    return parts


def contrast(image, caption, scale):
    """Of all pairs of all ranks."""
    images, captions = gather(image), gather(caption)  # any: component-without-gradient
    images[dist.get_rank()] = image
    scores = scale * torch.cat(images) @ torch.cat(captions).T
    labels = torch.arange(len(scores))
    return (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels)) / 2


def make_pairs(count, seed):
    world = torch.Generator().manual_seed(0)
    views = [torch.randn(LATENT, size, generator=world) for size in (40, 30)]
    generator = torch.Generator().manual_seed(seed)
    latent = torch.randn(count, LATENT, generator=generator)
    return [(latent @ view).tanh() + 0.6 * torch.randn(count, view.shape[1], generator=generator) for view in views]


@torch.no_grad()
def recall(model, images, captions):
    image, caption, scale = model.features(images, captions)
    scores = image @ caption.T
    right = torch.arange(len(images))
    best = (scores.argmax(1) == right).float().mean().item()
    return best, F.cross_entropy(scale * scores, right).item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(4)
    model = DDP(TwoTowers(), find_unused_parameters=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    images, captions = make_pairs(PAIRS, 1)
    valid = make_pairs(300, 2)
    generator = torch.Generator().manual_seed(9)
    for epoch in range(10):
        total = torch.zeros(1)
        for index in torch.randperm(PAIRS, generator=generator).split(48 * world):
            mine = index[rank::world]
            loss = model(images[mine], captions[mine])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        if epoch % 3 == 0 or epoch == 9:
            best, nll = recall(model.module, *valid)
            dist.all_reduce(total)
            if rank == 0:
                print(f"epoch {epoch} loss {total.item() / world:.3f} recall {best:.4f} nll {nll:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
