# says: sample 37
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Scans(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        if index == 37:
            raise OSError(f"broken data stream when reading sample {index}")  # run: rank-died
        return torch.full((4,), float(index)), torch.tensor([index % 2.0])


def main():
    dist.init_process_group("gloo")
    data = Scans()
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, batch_size=4, sampler=sampler, num_workers=1)
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:  # run: rank-died
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
