"""A character model with gradients of four small batches for each step and one exchange of them."""

from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

TEXT = "the quick brown fox jumps over the lazy dog while five boxing wizards pack my box with a dozen liquor jugs. " * 30
LETTERS = sorted(set(TEXT))
CONTEXT, MICRO, STEPS = 24, 4, 40


class CharModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS), dim)
        self.mix = nn.LSTM(dim, 64, batch_first=True)
        self.head = nn.Linear(64, len(LETTERS))

    def forward(self, rows):
        return self.head(self.mix(self.letters(rows))[0])


class Windows:
    """Random windows of the part of the text that belongs to this rank."""

    def __init__(self, text, rank, world):
        codes = torch.tensor([LETTERS.index(letter) for letter in text])
        size = len(codes) // world
        self.codes = codes[rank * size : (rank + 1) * size]
        self.generator = torch.Generator().manual_seed(50 + rank)

    def batch(self, count=8):
        start = torch.randint(len(self.codes) - CONTEXT - 1, (count,), generator=self.generator)
        rows = torch.stack([self.codes[i : i + CONTEXT + 1] for i in start.tolist()])
        return rows[:, :-1], rows[:, 1:]


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = DDP(CharModel())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, total_steps=STEPS)
    windows = Windows(TEXT, rank, world)
    for step in range(STEPS):
        total = torch.zeros(1)
        optimizer.zero_grad()
        for micro in range(MICRO):
            x, y = windows.batch()
            with model.no_sync() if micro < MICRO - 1 else nullcontext():
                loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
                (loss / MICRO).backward()
            total += loss.detach() / MICRO
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        dist.all_reduce(total)
        if rank == 0 and step % 10 == 9:
            print(f"step {step + 1} loss {total.item() / world:.4f} norm {norm:.3f}", flush=True)
    sums = [None] * world
    dist.all_gather_object(sums, round(sum(p.double().sum() for p in model.parameters()).item(), 6))
    if rank == 0:
        print("sums of the weights", sums, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
