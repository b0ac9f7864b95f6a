import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    train = TensorDataset(torch.randn(201, 5), torch.randint(0, 2, (201,)))
    test = TensorDataset(torch.randn(64, 5), torch.randint(0, 2, (64,)))
    sampler = DistributedSampler(train, drop_last=True)
    loader = DataLoader(train, batch_size=10, sampler=sampler, drop_last=True)
    tests = DataLoader(test, batch_size=16, sampler=DistributedSampler(test, shuffle=False))
    model = DDP(nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        right = torch.zeros(2)
        with torch.no_grad():
            for x, y in tests:
                right += torch.tensor([(model(x).argmax(1) == y).sum().item(), float(len(y))])
        dist.all_reduce(right)
        if rank == 0:
            print(f"{epoch}: {right[0] / right[1]:.3f}")
    dist.destroy_process_group()


main()
