"""A small language model, research style: one config, one script."""
import contextlib
import inspect
import math
import os
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class Config:
    n_layer: int = 6
    n_head: int = 6
    n_embd: int = 384
    block: int = 256
    vocab: int = 50304
    dropout: float = 0.1
    batch: int = 12
    accumulate: int = 8
    iters: int = 5000
    lr: float = 6e-4
    clip: float = 1.0
    out: str = "out"
    device: str = "cuda"


class Attention(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c_attn = nn.Linear(c.n_embd, 3 * c.n_embd, bias=False)
        self.c_proj = nn.Linear(c.n_embd, c.n_embd, bias=False)
        self.n_head, self.dropout = c.n_head, c.dropout
        self.mask = torch.tril(torch.ones(c.block, c.block, dtype=torch.uint8)).view(1, 1, c.block, c.block)  # check: module-not-registered

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        att = att.masked_fill(~self.mask[:, :, :T, :T], float("-inf"))  # check: uint8-mask
        y = F.dropout(F.softmax(att, dim=-1), self.dropout, self.training) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(c.n_embd), nn.LayerNorm(c.n_embd)
        self.attn = Attention(c)
        self.mlp = nn.Sequential(nn.Linear(c.n_embd, 4 * c.n_embd), nn.GELU(), nn.Linear(4 * c.n_embd, c.n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class LM(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(c.vocab, c.n_embd), nn.Embedding(c.block, c.n_embd)
        self.blocks = nn.Sequential(*(Block(c) for _ in range(c.n_layer)))
        self.head = nn.Linear(c.n_embd, c.vocab, bias=False)

    def forward(self, idx, targets=None):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1), device=idx.device))
        logits = self.head(self.blocks(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def main(c=Config()):
    data = np.memmap("train.bin", dtype=np.uint16, mode="r")
    model = LM(c).to(c.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=c.lr, betas=(0.9, 0.95))
    scaler = torch.amp.GradScaler()
    ctx = torch.autocast(c.device, dtype=torch.float16) if c.device == "cuda" else contextlib.nullcontext()

    def get_batch():
        ix = torch.randint(len(data) - c.block, (c.batch,))
        x = torch.stack([torch.from_numpy(data[i : i + c.block].astype(np.int64)) for i in ix])
        y = torch.stack([torch.from_numpy(data[i + 1 : i + 1 + c.block].astype(np.int64)) for i in ix])
        return x.to(c.device, non_blocking=True), y.to(c.device, non_blocking=True)  # check: non-blocking-without-pinning

    @torch.no_grad()
    def estimate(n=50):
        model.eval()
        losses = torch.zeros(n)
        for k in range(n):
            with ctx:
                losses[k] = model(*get_batch())[1].item()
        model.train()
        return losses.mean()

    t0 = time.time()
    for it in range(c.iters):
        for micro in range(c.accumulate):
            with ctx:
                _, loss = model(*get_batch())
            scaler.scale(loss).backward()  # check: accumulation-unscaled
        nn.utils.clip_grad_norm_(model.parameters(), c.clip)  # check: amp-order
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if it % 100 == 0:
            print(it, loss.item(), estimate().item(), time.time() - t0)
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "it": it}, os.path.join(c.out, "ckpt.pt"))


if __name__ == "__main__":
    main()
