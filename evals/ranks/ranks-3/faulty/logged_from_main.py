import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def is_main():
    return dist.get_rank() == 0


def mean_over_ranks(value):
    value = value.detach().clone()
    dist.all_reduce(value)  # run: collective-on-one-rank or collectives-differ
    return value / dist.get_world_size()


def train(model, loader, sampler, optimizer, epochs=3):
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if is_main() and step % 5 == 4:
                print(f"epoch {epoch} step {step} loss {mean_over_ranks(loss):.3f}")  # run: collective-on-one-rank or collectives-differ


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(3)
    data = TensorDataset(torch.randn(320, 10), torch.randint(0, 4, (320,)))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4)))
    train(model, loader, sampler, torch.optim.SGD(model.parameters(), lr=0.05))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
