import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Queue(nn.Module):
    """Keeps the last features of its own rank, and counts what it saw, as a user meant it."""

    def __init__(self, width, length=32):
        super().__init__()
        self.encoder = nn.Linear(width, width)
        self.register_buffer("seen", torch.zeros((), dtype=torch.long), persistent=False)
        self.register_buffer("queue", torch.zeros(length, width), persistent=False)

    def forward(self, x):
        features = nn.functional.normalize(self.encoder(x), dim=1)
        logits = features @ self.queue.clone().T
        with torch.no_grad():
            self.queue.copy_(torch.cat([features, self.queue])[: len(self.queue)])
            self.seen += len(x)
        return logits.logsumexp(1).mean() - features.square().sum(1).mean()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(Queue(8), broadcast_buffers=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(50):
        optimizer.zero_grad()
        model(torch.randn(8, 8)).backward()
        optimizer.step()
    seen = model.module.seen.clone()
    dist.all_reduce(seen)
    if rank == 0:
        print("samples", seen.item())
    dist.destroy_process_group()


main()
