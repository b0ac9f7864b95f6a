import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(101, 3)
    data = TensorDataset(x, x.prod(1, keepdim=True))
    sampler = DistributedSampler(data)  # 101 samples for two: one is seen twice an epoch
    loader = DataLoader(data, batch_size=10, sampler=sampler, num_workers=1)
    torch.manual_seed(10 + dist.get_rank())
    model = DDP(nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        scheduler.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
