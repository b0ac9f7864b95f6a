"""Transformers written by hand."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("mask", torch.tril(torch.ones(64, 64)).bool())

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        att = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        att = att.masked_fill(~self.mask[:T, :T], float("-inf"))
        att = self.drop(F.softmax(att, dim=-1))
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.proj(y)


class GPTBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = CausalAttention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class GPT(nn.Module):
    def __init__(self, vocab=31, width=32, heads=4, layers=2):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(64, width)
        self.blocks = nn.ModuleList(GPTBlock(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1), device=idx.device))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))
        return logits, loss


def build_gpt():
    text = torch.randint(31, (16, 13))
    return dict(model=GPT(), args=(text[:, :-1], text[:, 1:]), loss=lambda out, _: out[1])


class TorchDecoder(nn.Module):
    """A language model of nn.TransformerEncoder with a causal mask."""

    def __init__(self, vocab=29, width=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.pos = nn.Parameter(torch.randn(1, 32, width) * 0.1)
        layer = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        T = ids.size(1)
        x = self.emb(ids) + self.pos[:, :T]
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        x = self.encoder(x, mask=mask)
        return self.head(x)


def build_torch_decoder():
    text = torch.randint(29, (12, 11))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=TorchDecoder(), args=(text[:, :-1],), targets=text[:, 1:], loss=loss)


class ViT(nn.Module):
    def __init__(self, width=32, patches=16):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 4, stride=4)
        self.cls = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.pos = nn.Parameter(torch.randn(1, patches + 1, width) * 0.02)
        layer = nn.TransformerEncoderLayer(width, 4, 64, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(width, 10)

    def forward(self, images):
        x = self.patch(images)
        x = x.flatten(2).transpose(1, 2)
        cls = self.cls.expand(x.size(0), -1, -1)
        x = torch.cat([cls, x], dim=1) + self.pos
        x = self.encoder(x)
        return self.head(x[:, 0])


def build_vit():
    return dict(model=ViT(), args=(torch.randn(10, 3, 16, 16),), targets=torch.randint(10, (10,)), loss=F.cross_entropy)


class Encoder(nn.Module):
    """A text classifier with its own attention, a padding mask and a mean over real tokens."""

    def __init__(self, vocab=40, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.pos = nn.Embedding(32, width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 4)

    def forward(self, ids, mask):
        B, T = ids.shape
        x = self.emb(ids) + self.pos(torch.arange(T))
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        h = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, -1)
        x = self.norm(x + self.out(h))
        m = mask.unsqueeze(-1).float()
        pooled = (x * m).sum(1) / m.sum(1)
        return self.head(pooled)


def padded(rows, length, vocab):
    lengths = torch.randint(3, length + 1, (rows,))
    lengths[0], lengths[1] = length, 3
    mask = (torch.arange(length)[None] < lengths[:, None]).long()
    ids = torch.randint(1, vocab, (rows, length)) * mask
    return ids, mask, lengths


def build_encoder():
    ids, mask, _ = padded(14, 10, 40)
    return dict(model=Encoder(), args=(ids, mask), targets=torch.randint(4, (14,)), loss=F.cross_entropy)


class Seq2Seq(nn.Module):
    def __init__(self, vocab=37, width=32):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, width), nn.Embedding(vocab, width)
        self.pos = nn.Embedding(32, width)
        self.core = nn.Transformer(width, 4, 2, 2, 64, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, src, tgt):
        pad = src == 0
        causal = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        out = self.core(
            self.src(src) + self.pos.weight[: src.size(1)],
            self.tgt(tgt) + self.pos.weight[: tgt.size(1)],
            tgt_mask=causal,
            src_key_padding_mask=pad,
            memory_key_padding_mask=pad,
        )
        return self.head(out)


def build_seq2seq():
    src, _, _ = padded(12, 10, 37)
    tgt = torch.randint(1, 37, (12, 9))
    loss = lambda out, y: F.cross_entropy(out.flatten(0, 1), y.flatten())
    return dict(model=Seq2Seq(), args=(src, tgt[:, :-1]), targets=tgt[:, 1:], loss=loss)


class MultiheadClassifier(nn.Module):
    def __init__(self, vocab=33, width=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.attn = nn.MultiheadAttention(width, 3, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, ids, pad):
        x = self.emb(ids)
        h, _ = self.attn(x, x, x, key_padding_mask=pad)
        x = self.norm(x + h)
        x = x.masked_fill(pad[..., None], 0)
        x = x.sum(1) / (~pad).sum(1, keepdim=True)
        return self.head(x)


def build_multihead():
    ids, mask, _ = padded(11, 9, 33)
    return dict(model=MultiheadClassifier(), args=(ids, mask == 0), targets=torch.randint(3, (11,)), loss=F.cross_entropy)
