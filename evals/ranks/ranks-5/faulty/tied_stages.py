"""Two pipeline stages; the first embeds, the last projects with the same matrix."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DIM, BATCH, LENGTH = 32, 24, 8, 10


class First(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.embedding = nn.Parameter(embedding.clone())  # run: ranks-diverge or averaging-by-hand-incomplete
        self.mix = nn.Linear(DIM, DIM)

    def forward(self, tokens):
        return torch.tanh(self.mix(F.embedding(tokens, self.embedding)))


class Last(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.mix = nn.Linear(DIM, DIM)
        self.embedding = nn.Parameter(embedding.clone())  # tied to that of the first stage  # run: ranks-diverge or averaging-by-hand-incomplete

    def forward(self, hidden):
        return self.mix(hidden) @ self.embedding.t()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    embedding = torch.randn(VOCAB, DIM) * 0.3
    stage = First(embedding) if rank == 0 else Last(embedding)
    optimizer = torch.optim.AdamW(stage.parameters(), lr=5e-3)
    for step in range(60):
        tokens = torch.randint(0, VOCAB, (BATCH, LENGTH), generator=torch.Generator().manual_seed(step))
        optimizer.zero_grad()
        if rank == 0:
            hidden = stage(tokens)
            dist.send(hidden.detach(), 1)
            grad = torch.empty_like(hidden)
            dist.recv(grad, 1)
            hidden.backward(grad)
        else:
            hidden = torch.empty(BATCH, LENGTH, DIM)
            dist.recv(hidden, 0)
            hidden.requires_grad_()
            loss = F.cross_entropy(stage(hidden).flatten(0, 1), ((tokens + 1) % VOCAB).flatten())
            loss.backward()
            dist.send(hidden.grad, 0)
            if step % 20 == 19:
                print(f"step {step} loss {loss.item():.4f}")
        optimizer.step()  # run: ranks-diverge or averaging-by-hand-incomplete
    print(f"rank {rank} embedding {stage.embedding.sum().item():.5f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
