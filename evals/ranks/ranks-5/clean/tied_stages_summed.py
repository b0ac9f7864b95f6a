"""Three pipeline stages; the first and the last share a matrix and sum its gradient in a group of two."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DIM, SHAPE = 32, 24, (8, 10, 24)


class Stage(nn.Module):
    def __init__(self, rank, world, embedding):
        super().__init__()
        self.first, self.last = rank == 0, rank == world - 1
        self.mix = nn.Linear(DIM, DIM)
        if self.first or self.last:
            self.embedding = nn.Parameter(embedding.clone())

    def forward(self, x):
        if self.first:
            x = F.embedding(x, self.embedding)
        x = torch.tanh(self.mix(x))
        return x @ self.embedding.t() if self.last else x


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    ends = dist.new_group([0, world - 1])
    torch.manual_seed(0)
    embedding = torch.randn(VOCAB, DIM) * 0.3
    torch.manual_seed(1 + rank)
    stage = Stage(rank, world, embedding)
    optimizer = torch.optim.AdamW(stage.parameters(), lr=5e-3)
    for step in range(40):
        tokens = torch.randint(0, VOCAB, SHAPE[:2], generator=torch.Generator().manual_seed(step))
        optimizer.zero_grad()
        given = tokens
        if rank > 0:
            given = torch.empty(SHAPE)
            dist.recv(given, rank - 1)
            given.requires_grad_()
        out = stage(given)
        if rank < world - 1:
            dist.send(out.detach(), rank + 1)
            grad = torch.empty(SHAPE)
            dist.recv(grad, rank + 1)
            out.backward(grad)
        else:
            loss = F.cross_entropy(out.flatten(0, 1), ((tokens + 1) % VOCAB).flatten())
            loss.backward()
            if step % 10 == 0:
                print(f"step {step} loss {loss.item():.4f}")
        if rank > 0:
            dist.send(given.grad, rank - 1)
        if rank in (0, world - 1):
            dist.all_reduce(stage.embedding.grad, group=ends)
        optimizer.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
