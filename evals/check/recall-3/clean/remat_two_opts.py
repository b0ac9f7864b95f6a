"""A checkpointed transformer, Muon-like and AdamW optimizers for different tensors."""
import argparse
import functools
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

remat = functools.partial(checkpoint, use_reentrant=False)


class Block(nn.Module):
    def __init__(self, dim, heads, drop):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def attend(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop if self.training else 0.0, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self, vocab=256, dim=64, depth=4, heads=4, drop=0.1, remat=True):
        super().__init__()
        self.remat = remat
        self.embed = nn.Embedding(vocab, dim)
        blocks = [Block(dim, heads, drop) for _ in range(depth)]
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(dim)
        self.register_buffer("angles", torch.arange(dim).float() / dim, persistent=False)

    def forward(self, ids):
        x = self.embed(ids) + torch.sin(torch.arange(ids.size(1), device=ids.device)[:, None] * self.angles)
        for block in self.blocks:
            x = remat(block, x) if self.remat and self.training else block(x)
        return F.linear(self.norm(x), self.embed.weight)


class Orthogonal(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p))
                buf.mul_(group["momentum"]).add_(p.grad)
                u, _, v = torch.linalg.svd(buf, full_matrices=False)
                p.add_(u @ v, alpha=-group["lr"])


def groups(model):
    matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
    chosen = {id(p) for p in matrices}
    return matrices, [p for p in model.parameters() if id(p) not in chosen]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=5)
    args = parser.parse_args()
    model = Model()
    matrices, rest = groups(model)
    optimizers = [Orthogonal(matrices), torch.optim.AdamW(rest, lr=3e-4)]
    schedules = [torch.optim.lr_scheduler.LambdaLR(o, lambda s: 0.5 * (1 + math.cos(s / args.steps))) for o in optimizers]
    for step in range(args.steps):
        ids = torch.randint(0, 256, (2, 65))
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        for opt, sched in zip(optimizers, schedules):
            opt.step()
            sched.step()
        model.zero_grad(set_to_none=True)
        print(step, loss.item())


if __name__ == "__main__":
    main()
