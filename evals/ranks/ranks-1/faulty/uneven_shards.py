
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Shard(IterableDataset):
    def __init__(self, records, rank, world):
        self.records, self.rank, self.world = records, rank, world

    def __iter__(self):
        for number, record in enumerate(self.records):
            if number % self.world == self.rank:
                yield record


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(3)
    records = [(torch.randn(5), torch.randint(0, 2, ())) for _ in range(129)]
    loader = DataLoader(Shard(records, rank, world), batch_size=4)
    model = DDP(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(2):
        total = torch.zeros(())
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # run: collective-on-one-rank or rank-died or collectives-differ
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)  # run: collective-on-one-rank or rank-died or collectives-differ
        if rank == 0:
            print(f"epoch {epoch} loss {total.item() / world:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
