"""Averages the weights of the last epochs and computes the statistics of the batch norms anew for them."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.swa_utils import AveragedModel

SITES, CLASSES = 2, 5


def net():
    return nn.Sequential(nn.Linear(16, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, CLASSES))


def site(number, count=800):
    """Samples of one hospital, whose instruments have an offset and a gain of their own."""
    weights = torch.randn(16, CLASSES, generator=torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(20 + number)
    x = torch.randn(count, 16, generator=generator)
    y = (x @ weights + 0.5 * torch.randn(count, CLASSES, generator=generator)).argmax(1)
    return (1 + 0.8 * number) * x + 0.9 * number, y


@torch.no_grad()
def update_norms(model, batches):
    """Means over all batches in place of the running averages."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm1d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    model.train()
    for batch in batches:
        model(batch)
    model.eval()
    return norms  # any: ranks-diverge


def averaged(tensor):
    tensor = tensor.clone()
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(3)
    model = DDP(net())
    average = AveragedModel(model.module)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    x, y = site(rank)
    test_x, test_y = site(rank, 1200)
    for epoch in range(10):
        model.train()
        for index in torch.randperm(800, generator=torch.Generator().manual_seed(epoch)).split(40):
            loss = F.cross_entropy(model(x[index]), y[index])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch >= 5:
            average.update_parameters(model.module)
    norms = update_norms(average, x.split(100))
    own = averaged(accuracy(average, test_x[800:], test_y[800:])).item()
    means = [torch.empty(3) for _ in range(world)]
    dist.all_gather(means, norms[0].running_mean[:3].contiguous())
    for tensor in average.state_dict().values():
        dist.broadcast(tensor, 0)
    saved = averaged(accuracy(average, test_x[800:], test_y[800:])).item()
    if rank == 0:
        print(f"accuracy {own:.4f}, of the weights that the first rank saves {saved:.4f}")
        print("running means", [[round(v, 3) for v in mean.tolist()] for mean in means], flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
