"""Samples are drawn during the training of a sharded model, each until its end token."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

VOCAB, END, LONGEST = 24, 0, 60


class Lm(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, x):
        return self.head(self.mix(self.emb(x))[0])


@torch.no_grad()
def generate(model, prompt):
    tokens = prompt
    while tokens.shape[1] < LONGEST:
        logits = model(tokens)[:, -1]  # run: collectives-differ or collective-on-one-rank
        following = torch.multinomial(logits.softmax(-1), 1)
        tokens = torch.cat([tokens, following], 1)
        if (following == END).all():  # run: collectives-differ or collective-on-one-rank
            break
    return tokens


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    torch.manual_seed(0)
    model = Lm()
    for part in (model.emb, model.head):
        fully_shard(part, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    torch.manual_seed(rank + 1)
    for step in range(60):
        x = torch.randint(0, VOCAB, (8, 20))
        loss = nn.functional.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 10 == 9:
            sample = generate(model, torch.randint(1, VOCAB, (1, 3)))  # run: collectives-differ or collective-on-one-rank
            print(f"rank {rank} step {step}: {sample[0].tolist()}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
