"""A small GPT: rate by hand down to a tenth, four micro steps each divided, an estimate between."""

# ruff: noqa: N806

import argparse
import math

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads, length, drop):
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.drop = nn.Dropout(drop)
        self.register_buffer("bias", torch.tril(torch.ones(length, length)))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.bias[:T, :T] == 0, float("-inf"))
        y = self.drop(F.softmax(scores, dim=-1)) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class GPT(nn.Module):
    def __init__(self, words, length, width=32, heads=4, layers=2, drop=0.1):
        super().__init__()
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(words, width),
                "wpe": nn.Embedding(length, width),
                "attn": nn.ModuleList(Attention(width, heads, length, drop) for _ in range(layers)),
                "ln": nn.ModuleList(nn.LayerNorm(width) for _ in range(layers + 1)),
            }
        )
        self.lm_head = nn.Linear(width, words, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        for name, p in self.named_parameters():
            if name.endswith("proj.weight"):
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * layers))

    def forward(self, idx, targets=None):
        t = self.transformer
        x = t["wte"](idx) + t["wpe"].weight[: idx.shape[1]]
        for norm, attn in zip(t["ln"], t["attn"]):
            x = x + attn(norm(x))
        x = t["ln"][-1](x)
        if targets is None:
            return self.lm_head(x[:, [-1]]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)

    @torch.no_grad()
    def generate(self, idx, count, top_k=5):
        for _ in range(count):
            logits = self(idx[:, -16:])[0][:, -1]
            logits[logits < logits.topk(top_k).values[:, [-1]]] = -float("inf")
            idx = torch.cat([idx, torch.multinomial(logits.softmax(-1), 1)], 1)
        return idx


def get_batch(data, length=16, batch=6):
    ix = torch.randint(len(data) - length, (batch,))
    x = torch.stack([data[i : i + length] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + length] for i in ix])
    return x, y


@torch.no_grad()
def estimate_loss(model, splits, iters=5):
    out = {}
    model.eval()
    for name, data in splits.items():
        losses = torch.zeros(iters)
        for k in range(iters):
            losses[k] = model(*get_batch(data))[1].item()
        out[name] = losses.mean().item()
    model.train()
    return out


def get_lr(it, args):
    if it < args.warmup:
        return args.lr * (it + 1) / (args.warmup + 1)
    ratio = min(1.0, (it - args.warmup) / (args.max_iters - args.warmup))
    return args.lr * (0.1 + 0.45 * (1 + math.cos(math.pi * ratio)))


def main(args):
    torch.manual_seed(1337)
    text = (
        "to be or not to be that is the question whether it is nobler in the mind to suffer " * 12
    )
    letters = sorted(set(text))
    data = torch.tensor([letters.index(c) for c in text])
    splits = {"train": data[:800], "val": data[800:]}
    model = GPT(len(letters), 16)
    decayed = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decayed}, {"params": others, "weight_decay": 0.0}], args.lr
    )
    x, y = get_batch(splits["train"])
    for it in range(args.max_iters):
        for group in optimizer.param_groups:
            group["lr"] = get_lr(it, args)
        if it % 20 == 0:
            print(it, {name: round(loss, 3) for name, loss in estimate_loss(model, splits).items()})
        for _ in range(args.accumulate):
            _, loss = model(x, y)
            x, y = get_batch(splits["train"])
            (loss / args.accumulate).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    model.eval()
    print("".join(letters[i] for i in model.generate(data[None, :4], 20)[0]))
    show(model)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-iters", type=int, default=60)
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--lr", type=float, default=3e-3)
    main(parser.parse_args())
