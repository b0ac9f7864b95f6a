"""An autoencoder of two halves in two processes; codes go forward, their gradients come back."""

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH, CODE, DIM, PARTS = 48, 6, 24, 3


def signals(n=960):
    g = torch.Generator().manual_seed(3)
    t = torch.linspace(0, 6.28, DIM)
    a, b = torch.rand(n, 1, generator=g), torch.rand(n, 1, generator=g)
    return TensorDataset(torch.sin(t * (1 + a)) + b * torch.cos(2 * t))


def encoder_batch(model, x):
    codes = []
    for part in x.chunk(PARTS):
        code = model(part)
        dist.send(code.detach(), dst=1)
        codes.append(code)
    for code in codes:
        grad = torch.empty_like(code)
        dist.recv(grad, src=1)
        code.backward(grad)


def decoder_batch(model, x):
    total, inputs = 0.0, []
    for part in x.chunk(PARTS):
        code = torch.empty(len(part), CODE)
        dist.recv(code, src=0)
        code.requires_grad_()
        loss = nn.functional.mse_loss(model(code), part)
        (loss / PARTS).backward()
        inputs.append(code)
        total += loss.item() / PARTS
    for code in inputs:
        dist.send(code.grad, dst=0)
    return total


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(50 + rank)
    sizes = (DIM, 64, CODE) if rank == 0 else (CODE, 64, DIM)
    model = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.GELU(), nn.Linear(sizes[1], sizes[2]))
    order = torch.Generator().manual_seed(123)
    loader = DataLoader(signals(), batch_size=BATCH, shuffle=True, drop_last=True, generator=order)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(6):
        total = 0.0
        for (x,) in loader:
            optimizer.zero_grad()
            if rank == 0:
                encoder_batch(model, x)
            else:
                total += decoder_batch(model, x)
            optimizer.step()
        if rank == 1:
            print(f"epoch {epoch} error {total / len(loader):.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
