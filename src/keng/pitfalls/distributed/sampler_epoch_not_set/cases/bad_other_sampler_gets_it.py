# the loaders go through a list, and the epoch is set for the validation data only
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

orders = []


def run_epoch(net, optimizer, loaders, epoch):
    train_loader, val_loader = loaders
    val_loader.sampler.set_epoch(epoch)
    order = []
    for step, x in enumerate(train_loader):
        optimizer.zero_grad()
        net(x[:, None]).square().mean().backward()
        optimizer.step()
        order += x.tolist()
    orders.append(order)


def main():
    data, val_data = list(torch.arange(8.0)), list(torch.arange(4.0))
    sampler = DistributedSampler(data, num_replicas=1, rank=0)  # check: `sampler` never gets the epoch
    val_sampler = DistributedSampler(val_data, num_replicas=1, rank=0)
    train_loader = DataLoader(data, batch_size=4, sampler=sampler)
    val_loader = DataLoader(val_data, batch_size=4, sampler=val_sampler)
    net = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(2):
        run_epoch(net, optimizer, [train_loader, val_loader], epoch)


main()
# proof
assert orders[0] == orders[1]
