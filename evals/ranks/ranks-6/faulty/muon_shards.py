"""A small decoder with sharded weights; matrices are trained with Muon, the rest with AdamW."""

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


class Block(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    def __init__(self, vocab=40, dim=32, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(layers))
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def newton_schulz(g, steps=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (g.norm() + 1e-7)
    wide = x.shape[0] <= x.shape[1]
    x = x if wide else x.T
    for _ in range(steps):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x if wide else x.T


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                weight, grad = p.to_local(), p.grad.to_local()
                buffer = self.state[p].setdefault("buffer", torch.zeros_like(grad))
                buffer.mul_(group["momentum"]).add_(grad)
                update = newton_schulz(grad.add(buffer, alpha=group["momentum"]))  # run: fsdp-misused
                scale = max(1.0, p.shape[0] / p.shape[1]) ** 0.5
                weight.add_(update, alpha=-group["lr"] * scale)  # run: fsdp-misused


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    torch.manual_seed(0)
    model = Decoder()
    for block in model.blocks:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    ids = {id(p) for p in matrices}
    muon = Muon(matrices)
    adam = torch.optim.AdamW([p for p in model.parameters() if id(p) not in ids], lr=3e-3)
    g = torch.Generator().manual_seed(60 + dist.get_rank())
    for step in range(1, 81):
        start = torch.randint(0, 40, (16, 1), generator=g)
        tokens = (start + torch.randint(1, 4, (16, 1), generator=g) * torch.arange(24)) % 40
        loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        muon.step()
        adam.step()
        model.zero_grad()
        if step % 20 == 0:
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            if dist.get_rank() == 0:
                print(f"step {step} loss {mean.item() / dist.get_world_size():.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
