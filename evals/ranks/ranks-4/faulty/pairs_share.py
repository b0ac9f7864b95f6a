"""Four ranks as a mesh of 2 x 2. The model fits on one rank, so the second dimension is not used yet."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build_loader(dataset, mesh, batch_size):
    dp = mesh["dp"]
    sampler = DistributedSampler(
        dataset, num_replicas=dp.size(), rank=dp.get_local_rank(), shuffle=True, drop_last=True  # run: loader-not-sharded
    )
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler), sampler  # run: loader-not-sharded


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    torch.manual_seed(7)
    tokens = torch.randint(0, 50, (256, 17))
    loader, sampler = build_loader(TensorDataset(tokens), mesh, batch_size=8)
    model = nn.Sequential(nn.Embedding(50, 24), nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 50))
    model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for (batch,) in loader:  # run: loader-not-sharded
            logits = model(batch[:, :-1])
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), batch[:, 1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
