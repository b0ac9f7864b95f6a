import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def get_loader(batch_size):
    torch.manual_seed(11)
    x = torch.randn(96, 7)
    data = TensorDataset(x, (x[:, 0] > 0).long())
    sampler = DistributedSampler(data, shuffle=True, drop_last=True)
    return DataLoader(data, batch_size=batch_size, sampler=sampler)


def train_one_epoch(model, loader, optimizer):
    for x, y in loader:  # run: sampler-epoch-not-set
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def main():
    dist.init_process_group("gloo")
    loader = get_loader(8)  # run: sampler-epoch-not-set
    model = DDP(nn.Linear(7, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(6):
        train_one_epoch(model, loader, optimizer)  # run: sampler-epoch-not-set
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
