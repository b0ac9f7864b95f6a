"""Fine-tuning on packed conversations. The learning rate follows how far the loader has come in its shard."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

VOCAB, SEQ, BATCH, STEPS = 64, 32, 4, 60


def conversations(rank):
    g = torch.Generator().manual_seed(77 + rank)
    longest = 24 if rank == 0 else 16
    return [
        torch.randint(1, VOCAB, (int(n),), generator=g)
        for n in torch.randint(6, longest, (1200,), generator=g)
    ]


class Packer:
    """Packs conversations into rows of SEQ + 1 tokens."""

    def __init__(self, docs):
        self.docs, self.cursor, self.buffer = docs, 0, []

    @property
    def progress(self):
        return self.cursor / len(self.docs)

    def next(self):
        need = BATCH * (SEQ + 1)
        while len(self.buffer) < need:
            self.buffer += self.docs[self.cursor % len(self.docs)].tolist()
            self.cursor += 1
        row, self.buffer = self.buffer[:need], self.buffer[need:]
        row = torch.tensor(row).view(BATCH, SEQ + 1)
        return row[:, :-1], row[:, 1:]


def multiplier(progress):
    return 1.0 if progress < 0.2 else max(0.0, 1.0 - (progress - 0.2) / 0.8)


dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = DDP(nn.Sequential(nn.Embedding(VOCAB, 32), nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, VOCAB)))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
packer = Packer(conversations(rank))
for step in range(STEPS):
    x, y = packer.next()
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    loss.backward()
    for group in optimizer.param_groups:
        group["lr"] = 3e-3 * multiplier(packer.progress)  # run: ranks-diverge
    optimizer.step()  # run: ranks-diverge
    optimizer.zero_grad(set_to_none=True)
    if step % 20 == 0:
        print(f"rank {rank} step {step} loss {loss.item():.3f} progress {packer.progress:.2f}")
dist.barrier()
dist.destroy_process_group()
