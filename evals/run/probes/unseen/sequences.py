"""Sequence models that no rule was written on."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def ragged(rows, length, shortest=3):
    lengths = torch.randint(shortest, length + 1, (rows,))
    lengths[0], lengths[1] = length, shortest
    return lengths, torch.arange(length)[None] < lengths[:, None]


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class RotaryDecoder(nn.Module):
    """Rotary positions, grouped queries, RMS norm, gated MLP."""

    def __init__(self, vocab=40, width=32, heads=4, groups=2):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.emb = nn.Embedding(vocab, width)
        self.n1, self.n2, self.n3 = nn.RMSNorm(width), nn.RMSNorm(width), nn.RMSNorm(width)
        self.q = nn.Linear(width, width, bias=False)
        self.kv = nn.Linear(width, 2 * groups * self.size, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, 128), nn.Linear(64, width)

    def attend(self, x):
        b, t, _ = x.shape
        angle = torch.arange(t)[:, None] / 100 ** (torch.arange(self.size // 2) / (self.size // 2))
        q = self.q(x).view(b, t, self.heads, self.size).transpose(1, 2)
        k, v = self.kv(x).view(b, t, 2, self.groups, self.size).permute(2, 0, 3, 1, 4)
        q, k = rotate(q, angle.cos(), angle.sin()), rotate(k, angle.cos(), angle.sin())
        k = k.repeat_interleave(self.heads // self.groups, dim=1)
        v = v.repeat_interleave(self.heads // self.groups, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(out.transpose(1, 2).reshape(b, t, -1))

    def forward(self, ids):
        x = self.emb(ids)
        x = x + self.attend(self.n1(x))
        gate, value = self.up(self.n2(x)).chunk(2, -1)
        x = x + self.down(F.silu(gate) * value)
        return self.n3(x) @ self.emb.weight.t()


def lm(out, y):
    return F.cross_entropy(out.flatten(0, 1), y.flatten())


def build_rotary():
    text = torch.randint(40, (12, 15))
    return dict(model=RotaryDecoder(), args=(text[:, :-1],), targets=text[:, 1:], loss=lm)


class GRULanguage(nn.Module):
    def __init__(self, vocab=35, width=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.drop = nn.Dropout(0.3)
        self.gru = nn.GRU(width, width, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        x = self.drop(self.emb(ids))
        h, _ = self.gru(x)
        return self.head(self.drop(h))


def build_gru_language():
    text = torch.randint(35, (11, 16))
    return dict(model=GRULanguage(), args=(text[:, :-1],), targets=text[:, 1:], loss=lm)


class LinearAttention(nn.Module):
    """Causal linear attention by running sums."""

    def __init__(self, vocab=30, width=24):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, width), nn.Embedding(32, width)
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab)

    def forward(self, ids):
        x = self.emb(ids) + self.pos.weight[: ids.size(1)]
        q, k, v = F.elu(self.q(x)) + 1, F.elu(self.k(x)) + 1, self.v(x)
        states = (k[..., :, None] * v[..., None, :]).cumsum(dim=1)
        total = k.cumsum(1)
        top = torch.einsum("btd,btde->bte", q, states)
        below = (q * total).sum(-1, keepdim=True)
        return self.head(self.norm(x + top / below))


def build_linear_attention():
    text = torch.randint(30, (10, 13))
    return dict(model=LinearAttention(), args=(text[:, :-1],), targets=text[:, 1:], loss=lm)


class StateSpace(nn.Module):
    """A diagonal recurrence in a loop, as of a small Mamba."""

    def __init__(self, vocab=28, width=16, state=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, width, 3, groups=width)
        self.dt, self.bc = nn.Linear(width, width), nn.Linear(width, 2 * state)
        self.a = nn.Parameter(torch.rand(width, state))
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        x = self.emb(ids)
        u = F.silu(self.conv(F.pad(x.transpose(1, 2), (2, 0)))).transpose(1, 2)
        step = F.softplus(self.dt(u))
        b, c = self.bc(u).chunk(2, -1)
        h = torch.zeros(*x[:, 0].shape, self.a.size(1))
        out = []
        for t in range(x.size(1)):
            decay = torch.exp(-step[:, t, :, None] * self.a)
            h = decay * h + (step[:, t] * u[:, t])[..., None] * b[:, t, None, :]
            out.append((h * c[:, t, None, :]).sum(-1))
        y = torch.stack(out, dim=1)
        return self.head(x + y)


def build_state_space():
    text = torch.randint(28, (9, 12))
    return dict(model=StateSpace(), args=(text[:, :-1],), targets=text[:, 1:], loss=lm)


class AlibiEncoder(nn.Module):
    def __init__(self, vocab=45, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 5)

    def forward(self, ids, attention_mask):
        b, t = ids.shape
        x = self.emb(ids)
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        gap = (torch.arange(t)[None] - torch.arange(t)[:, None]).abs()
        slope = 2.0 ** -torch.arange(1, self.heads + 1)
        bias = -gap[None] * slope[:, None, None]
        bias = bias + (1 - attention_mask[:, None, None, :]) * -1e9
        h = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = self.norm(x + self.out(h.transpose(1, 2).flatten(2)))
        return self.head(x[:, 0])


def build_alibi():
    _, real = ragged(13, 11)
    ids = torch.randint(1, 45, (13, 11)) * real
    return dict(model=AlibiEncoder(), args=(ids, real.float()), targets=torch.randint(5, (13,)), loss=F.cross_entropy)


class Speech(nn.Module):
    """A conformer-like encoder of ragged spectra: masked convolutions and attention, mean over time."""

    def __init__(self, bands=10, width=24):
        super().__init__()
        self.inp = nn.Linear(bands, width)
        self.attn = nn.MultiheadAttention(width, 4, batch_first=True)
        self.conv = nn.Conv1d(width, width, 5, padding=2)
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.head = nn.Linear(width, 6)

    def forward(self, spectra, lengths):
        real = torch.arange(spectra.size(1))[None] < lengths[:, None]
        x = self.inp(spectra)
        x = x + self.attn(self.n1(x), self.n1(x), self.n1(x), key_padding_mask=~real, need_weights=False)[0]
        y = self.n2(x).masked_fill(~real[..., None], 0.0)
        x = x + F.silu(self.conv(y.transpose(1, 2))).transpose(1, 2)
        x = x.masked_fill(~real[..., None], 0.0)
        return self.head(x.sum(1) / lengths[:, None])


def build_speech():
    lengths, real = ragged(10, 14, 5)
    spectra = torch.randn(10, 14, 10) * real[..., None]
    return dict(model=Speech(), args=(spectra, lengths), targets=torch.randint(6, (10,)), loss=F.cross_entropy)


class Reader(nn.Module):
    """Question answering: a passage attends to a question; both are padded."""

    def __init__(self, vocab=50, width=20):
        super().__init__()
        self.emb = nn.Embedding(vocab, width, padding_idx=0)
        self.mix = nn.Linear(3 * width, width)
        self.start, self.end = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, passage, question):
        p, q = self.emb(passage), self.emb(question)
        similarity = p @ q.transpose(1, 2)
        similarity = similarity.masked_fill((question == 0).unsqueeze(1), -1e4)
        attended = torch.softmax(similarity, dim=2) @ q
        g = torch.tanh(self.mix(torch.cat([p, attended, p * attended], 2)))
        blocked = passage == 0
        start = self.start(g).squeeze(2).masked_fill(blocked, -1e4)
        end = self.end(g).squeeze(2).masked_fill(blocked, -1e4)
        return start, end


def build_reader():
    _, p = ragged(12, 15, 6)
    _, q = ragged(12, 7, 2)
    args = (torch.randint(1, 50, (12, 15)) * p, torch.randint(1, 50, (12, 7)) * q)
    return dict(model=Reader(), args=args)


class SetTransformer(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.inp = nn.Linear(3, width)
        self.points = nn.Parameter(torch.randn(1, 4, width))
        self.a = nn.MultiheadAttention(width, 4, batch_first=True)
        self.b = nn.MultiheadAttention(width, 4, batch_first=True)
        self.pool = nn.MultiheadAttention(width, 4, batch_first=True)
        self.seed = nn.Parameter(torch.randn(1, 1, width))
        self.head = nn.Linear(width, 3)

    def forward(self, x, absent):
        h = self.inp(x)
        inducing = self.points.expand(len(x), -1, -1)
        inner, _ = self.a(inducing, h, h, key_padding_mask=absent)
        h = h + self.b(h, inner, inner)[0]
        pooled, _ = self.pool(self.seed.expand(len(x), -1, -1), h, h, key_padding_mask=absent)
        return self.head(pooled.squeeze(1))


def build_set_transformer():
    _, real = ragged(14, 9)
    return dict(model=SetTransformer(), args=(torch.randn(14, 9, 3) * real[..., None], ~real), targets=torch.randint(3, (14,)), loss=F.cross_entropy)


class Session(nn.Module):
    """Recommends the next item of a session from its mean and its last click (as STAMP)."""

    def __init__(self, items=60, width=16):
        super().__init__()
        self.items = nn.Embedding(items, width, padding_idx=0)
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, clicks, lengths):
        x = self.items(clicks)
        last = x[torch.arange(len(x)), lengths - 1]
        mean = x.sum(1) / lengths[:, None]
        user = torch.tanh(self.a(mean)) * torch.tanh(self.b(last))
        return user @ self.items.weight.t()


def build_session():
    lengths, real = ragged(16, 8, 2)
    return dict(model=Session(), args=(torch.randint(1, 60, (16, 8)) * real, lengths), targets=torch.randint(1, 60, (16,)), loss=F.cross_entropy)


class Hierarchical(nn.Module):
    """Words to sentences to a document: sentences are folded into the batch."""

    def __init__(self, vocab=40, width=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.words = nn.GRU(width, width, batch_first=True)
        self.sentences = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, 4)

    def forward(self, documents):
        b, s, w = documents.shape
        x = self.emb(documents).view(b * s, w, -1)
        _, h = self.words(x)
        sentences = h[-1].view(b, s, -1)
        _, h = self.sentences(sentences)
        return self.head(h.squeeze(0))


def build_hierarchical():
    return dict(model=Hierarchical(), args=(torch.randint(40, (9, 5, 7)),), targets=torch.randint(4, (9,)), loss=F.cross_entropy)


class Captioner(nn.Module):
    """A CNN of the image, an LSTM over the caption, teacher forced."""

    def __init__(self, vocab=33, width=24):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(3, width, 4, 4), nn.ReLU())
        self.emb = nn.Embedding(vocab, width)
        self.cell = nn.LSTMCell(2 * width, width)
        self.score = nn.Linear(2 * width, 1)
        self.head = nn.Linear(width, vocab)

    def forward(self, images, captions):
        regions = self.cnn(images).flatten(2).transpose(1, 2)
        h = c = regions.mean(1)
        out = []
        for t in range(captions.size(1)):
            joined = torch.cat([regions, h[:, None].expand_as(regions)], -1)
            weights = self.score(joined).softmax(dim=1)
            context = (weights * regions).sum(1)
            h, c = self.cell(torch.cat([self.emb(captions[:, t]), context], 1), (h, c))
            out.append(self.head(h))
        return torch.stack(out, 1)


def build_captioner():
    words = torch.randint(33, (10, 9))
    return dict(model=Captioner(), args=(torch.randn(10, 3, 16, 16), words[:, :-1]), targets=words[:, 1:], loss=lm)


class Perceiver(nn.Module):
    def __init__(self, width=24, latents=5):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(latents, width))
        self.inp = nn.Linear(4, width)
        self.q, self.kv = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU())
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        k, v = self.kv(self.inp(x)).chunk(2, -1)
        latents = self.latents.unsqueeze(0).repeat(len(x), 1, 1)
        weights = torch.softmax(self.q(latents) @ k.transpose(1, 2) / 5, dim=-1)
        latents = latents + weights @ v
        latents = latents + self.mlp(latents)
        return self.head(latents.mean(1))


def build_perceiver():
    return dict(model=Perceiver(), args=(torch.randn(11, 17, 4),), targets=torch.randint(3, (11,)), loss=F.cross_entropy)


class TimeFirst(nn.Module):
    """A sequence-first LSTM with the batch in axis 1."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[-1])


def build_time_first():
    return dict(model=TimeFirst(), args=(torch.randn(18, 8, 6),), targets=torch.randint(2, (8,)), loss=F.cross_entropy)


class DecisionPolicy(nn.Module):
    """States, actions and returns interleaved in a causal transformer."""

    def __init__(self, width=24):
        super().__init__()
        self.state, self.action, self.gain = nn.Linear(5, width), nn.Embedding(4, width), nn.Linear(1, width)
        layer = nn.TransformerEncoderLayer(width, 4, 48, batch_first=True, dropout=0.0)
        self.core = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(width, 4)

    def forward(self, states, actions, returns):
        b, t, _ = states.shape
        parts = [self.gain(returns), self.state(states), self.action(actions)]
        x = torch.stack(parts, dim=2).reshape(b, 3 * t, -1)
        mask = nn.Transformer.generate_square_subsequent_mask(3 * t)
        x = self.core(x, mask=mask).view(b, t, 3, -1)
        return self.head(x[:, :, 1])


def build_decision():
    actions = torch.randint(4, (9, 6))
    args = (torch.randn(9, 6, 5), actions, torch.randn(9, 6, 1))
    return dict(model=DecisionPolicy(), args=args, targets=actions, loss=lm)


class Forecast(nn.Module):
    """Patches of many channels, each channel a row of its own (as PatchTST)."""

    def __init__(self, width=16):
        super().__init__()
        self.patch = nn.Linear(4, width)
        layer = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.core = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(6 * width, 5)

    def forward(self, series):
        b, t, c = series.shape
        mean = series.mean(1, keepdim=True)
        spread = series.std(1, keepdim=True) + 1e-5
        x = ((series - mean) / spread).transpose(1, 2).reshape(b * c, 6, 4)
        y = self.head(self.core(self.patch(x)).flatten(1))
        return y.view(b, c, 5).transpose(1, 2) * spread + mean


def build_forecast():
    return dict(model=Forecast(), args=(torch.randn(8, 24, 3),), targets=torch.randn(8, 5, 3), loss=F.mse_loss)
