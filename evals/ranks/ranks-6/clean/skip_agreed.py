"""Click logs of three regions; a step is left out by all processes if the loss of one is no number."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Clicks:
    def __init__(self, region, steps, batch=48, users=200, items=80):
        self.g = torch.Generator().manual_seed(90 + region)
        self.steps, self.batch, self.users, self.items = steps, batch, users, items
        self.damaged = {17, 55} if region == 2 else {40} if region == 0 else set()

    def __iter__(self):
        for step in range(self.steps):
            user = torch.randint(0, self.users, (self.batch,), generator=self.g)
            item = torch.randint(0, self.items, (self.batch,), generator=self.g)
            clicked = (user % 5 < item % 5).float()
            dwell = torch.rand(self.batch, generator=self.g)
            if step in self.damaged:
                dwell[5] = float("nan")
            yield user, item, dwell, clicked


class Ranker(nn.Module):
    def __init__(self, users=200, items=80, dim=16):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.net = nn.Sequential(nn.Linear(2 * dim + 1, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, user, item, dwell):
        return self.net(torch.cat([self.user(user), self.item(item), dwell.unsqueeze(1)], 1)).squeeze(1)


def any_rank(flag):
    t = torch.tensor(int(flag))
    dist.all_reduce(t, op=dist.ReduceOp.MAX)
    return bool(t)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(Ranker())
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-2)
    left_out, mean = 0, 0.0
    for step, (user, item, dwell, clicked) in enumerate(Clicks(rank, 120)):
        loss = nn.functional.binary_cross_entropy_with_logits(model(user, item, dwell), clicked)
        if any_rank(not torch.isfinite(loss)):
            left_out += 1
            continue
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        mean = 0.9 * mean + 0.1 * loss.item()
        if rank == 0 and step % 30 == 0:
            print(f"step {step} loss {loss.item():.4f}", flush=True)
    total = torch.tensor(mean)
    dist.all_reduce(total)
    if rank == 0:
        print(f"loss {total.item() / dist.get_world_size():.4f}, {left_out} steps left out", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
