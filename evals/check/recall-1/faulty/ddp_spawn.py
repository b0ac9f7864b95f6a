import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(10, 20)
        self.decoder = nn.Linear(20, 10)

    def reconstruction_loss(self, x):
        return nn.functional.mse_loss(self(x), x)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


def train(rank, world):
    dist.init_process_group('gloo', init_method='tcp://127.0.0.1:29511', rank=rank, world_size=world)
    torch.manual_seed(0)
    net = DistributedDataParallel(Net())
    data = TensorDataset(torch.randn(120, 10))
    sampler = DistributedSampler(data, world, rank)
    loader = DataLoader(data, 10, sampler=sampler)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for (x,) in loader:
            loss = net.module.reconstruction_loss(x)  # check: trained-past-wrapper
            opt.zero_grad()
            loss.backward()
            opt.step()
        if rank != 0:
            continue
        mean = loss.detach().clone()
        dist.all_reduce(mean)  # check: collective-on-one-rank
        print(epoch, mean / world)
    torch.save(net.module.state_dict(), 'net.pt')  # check: saved-on-every-rank
    dist.destroy_process_group()


if __name__ == '__main__':
    mp.spawn(train, args=(2,), nprocs=2)
