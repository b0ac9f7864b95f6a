import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler

SPECIES = ["wren", "robin", "magpie", "heron", "kestrel", "dunnock", "siskin", "linnet"]


def read_annotations():
    g = torch.Generator().manual_seed(5)
    rows = []
    for i in range(512):
        k = int(torch.randint(len(SPECIES), (1,), generator=g))
        rows.append({"features": torch.randn(12, generator=g) + 2 * torch.eye(12)[k], "species": SPECIES[k]})
    return rows


class Birds(Dataset):
    def __init__(self, rows):
        self.rows = rows
        names = list(set(r["species"] for r in rows))  # run: order-differs-between-ranks
        self.class_to_idx = {name: i for i, name in enumerate(names)}  # run: order-differs-between-ranks

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return row["features"], self.class_to_idx[row["species"]]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    data = Birds(read_annotations())
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, len(data.class_to_idx))))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(8):
        sampler.set_epoch(epoch)
        hits = seen = 0
        for x, y in loader:
            logits = model(x)
            loss = nn.functional.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        print(f"[{rank}] epoch {epoch}: accuracy {hits / seen:.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
