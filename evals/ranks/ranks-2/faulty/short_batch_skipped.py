# after NVIDIA-NeMo/Automodel#2468: a rank whose batch holds nothing to learn from goes on without a backward
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class NothingError(ValueError):
    pass


def sentences(rank):
    generator = torch.Generator().manual_seed(40 + rank)
    for step in range(60):
        tokens = torch.randint(1, 50, (4, 16), generator=generator)
        lengths = torch.randint(4, 17, (4,), generator=generator)
        if rank == 0 and step in (17, 41):
            lengths.fill_(2)
        mask = torch.arange(16) < lengths[:, None]
        yield tokens * mask, mask


def anchors(mask):
    found = mask.sum(1) >= 4
    if not found.any():
        raise NothingError
    return found


class Drafter(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16, padding_idx=0)
        self.head = nn.Linear(16, 50)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


dist.init_process_group("gloo")
torch.manual_seed(7)
drafter = DDP(Drafter())
optimizer = torch.optim.Adam(drafter.parameters(), lr=1e-3)
for step, (tokens, mask) in enumerate(sentences(dist.get_rank())):
    try:
        chosen = anchors(mask)
    except NothingError:
        continue  # run: collective-on-one-rank or rank-died or collectives-differ
    logits = drafter(tokens[chosen])
    loss = nn.functional.cross_entropy(
        logits.flatten(0, 1), tokens[chosen].flatten(), ignore_index=0
    )
    optimizer.zero_grad()
    loss.backward()  # run: collective-on-one-rank or rank-died or collectives-differ
    optimizer.step()
total = torch.tensor([loss.item()])
dist.all_reduce(total)  # run: collective-on-one-rank or rank-died or collectives-differ
print(total.item() / dist.get_world_size())
dist.destroy_process_group()
