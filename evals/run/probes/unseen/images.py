"""Images, points, video, graphs and generative models that no rule was written on."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class Queries(nn.Module):
    """DETR in small: learned queries attend to the pixels of padded images."""

    def __init__(self, width=24, queries=6):
        super().__init__()
        self.backbone = nn.Conv2d(3, width, 4, 4)
        self.pos = nn.Parameter(torch.randn(1, 16, width))
        self.queries = nn.Embedding(queries, width)
        layer = nn.TransformerDecoderLayer(width, 4, 48, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, 2)
        self.box, self.kind = nn.Linear(width, 4), nn.Linear(width, 5)

    def forward(self, images, pixel_mask):
        pixels = self.backbone(images).flatten(2).transpose(1, 2) + self.pos
        absent = ~F.interpolate(pixel_mask[:, None].float(), size=(4, 4)).flatten(1).bool()
        queries = self.queries.weight.unsqueeze(0).expand(len(images), -1, -1)
        h = self.decoder(queries, pixels, memory_key_padding_mask=absent)
        return {"pred_logits": self.kind(h), "pred_boxes": self.box(h).sigmoid()}


def build_queries():
    mask = torch.ones(8, 16, 16, dtype=torch.bool)
    mask[1:4, :, 8:] = False
    return dict(model=Queries(), args=(torch.randn(8, 3, 16, 16) * mask[:, None], mask))


class Pyramid(nn.Module):
    """A feature pyramid with a dense head shared by the levels."""

    def __init__(self, width=16, classes=3):
        super().__init__()
        self.classes = classes
        self.c1, self.c2, self.c3 = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 16, 3, 2, 1), nn.Conv2d(16, 32, 3, 2, 1)
        self.lateral = nn.ModuleList(nn.Conv2d(c, width, 1) for c in (8, 16, 32))
        self.norm = nn.GroupNorm(4, width)
        self.score = nn.Conv2d(width, classes, 3, padding=1)

    def forward(self, images):
        a = F.relu(self.c1(images))
        b = F.relu(self.c2(a))
        c = F.relu(self.c3(b))
        levels = [lateral(x) for lateral, x in zip(self.lateral, (a, b, c))]
        for i in (1, 0):
            levels[i] = levels[i] + F.interpolate(levels[i + 1], scale_factor=2)
        out = []
        for level in levels:
            scores = self.score(F.relu(self.norm(level)))
            out.append(scores.flatten(2).transpose(1, 2))
        return torch.cat(out, dim=1)


def build_pyramid():
    return dict(model=Pyramid(), args=(torch.randn(9, 3, 16, 16),))


class DeepLab(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.BatchNorm2d(width), nn.ReLU())
        self.rates = nn.ModuleList(nn.Conv2d(width, width, 3, padding=r, dilation=r) for r in (1, 2, 4))
        self.image = nn.Conv2d(width, width, 1)
        self.out = nn.Conv2d(4 * width, 4, 1)

    def forward(self, x):
        size = x.shape[-2:]
        x = self.stem(x)
        context = F.relu(self.image(F.adaptive_avg_pool2d(x, 1)))
        context = context.expand(-1, -1, *x.shape[-2:])
        x = torch.cat([conv(x) for conv in self.rates] + [context], 1)
        return F.interpolate(self.out(x), size=size, mode="bilinear", align_corners=False)


def build_deeplab():
    return dict(model=DeepLab(), args=(torch.randn(8, 3, 16, 16),), targets=torch.randint(4, (8, 16, 16)), loss=F.cross_entropy)


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.local = nn.Sequential(nn.Conv1d(3, 16, 1), nn.BatchNorm1d(16), nn.ReLU(), nn.Conv1d(16, 32, 1))
        self.head = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 5))

    def forward(self, points):
        features = self.local(points.transpose(1, 2))
        shape = features.max(dim=2).values
        return self.head(shape)


def build_point_net():
    return dict(model=PointNet(), args=(torch.randn(12, 20, 3),), targets=torch.randint(5, (12,)), loss=F.cross_entropy)


class Video(nn.Module):
    """Frames through a CNN, folded into the batch, then a GRU over time."""

    def __init__(self):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.gru = nn.GRU(8, 12, batch_first=True)
        self.head = nn.Linear(12, 4)

    def forward(self, clips):
        b, t = clips.shape[:2]
        features = self.cnn(clips.flatten(0, 1))
        features = features.view(b, t, -1)
        out, _ = self.gru(features)
        return self.head(out.mean(1))


def build_video():
    return dict(model=Video(), args=(torch.randn(8, 6, 3, 8, 8),), targets=torch.randint(4, (8,)), loss=F.cross_entropy)


class Modulated(nn.Module):
    """StyleGAN2's convolution: the batch is folded into the channels of one grouped convolution."""

    def __init__(self, width=8):
        super().__init__()
        self.start = nn.Parameter(torch.randn(1, width, 4, 4))
        self.style = nn.Linear(10, width)
        self.weight = nn.Parameter(torch.randn(1, width, width, 3, 3) * 0.1)
        self.rgb = nn.Conv2d(width, 3, 1)

    def forward(self, z):
        b, width = len(z), self.weight.size(1)
        style = self.style(z) + 1
        weight = self.weight * style[:, None, :, None, None]
        weight = weight / weight.square().sum((2, 3, 4), keepdim=True).sqrt()
        x = self.start.expand(b, -1, -1, -1).reshape(1, b * width, 4, 4)
        x = F.conv2d(x, weight.flatten(0, 1), padding=1, groups=b)
        x = F.leaky_relu(x.view(b, width, 4, 4))
        return self.rgb(F.interpolate(x, scale_factor=2))


def build_modulated():
    return dict(model=Modulated(), args=(torch.randn(9, 10),))


class Hyper(nn.Module):
    """A network that makes the weights of another, one set for each sample."""

    def __init__(self):
        super().__init__()
        self.make = nn.Linear(4, 6 * 8)
        self.out = nn.Linear(8, 1)

    def forward(self, context, x):
        weight = self.make(context).view(-1, 6, 8)
        h = torch.einsum("bi,bio->bo", x, weight)
        return self.out(torch.tanh(h))


def build_hyper():
    return dict(model=Hyper(), args=(torch.randn(14, 4), torch.randn(14, 6)), targets=torch.randn(14, 1), loss=F.mse_loss)


class Denoiser(nn.Module):
    """A diffusion model's network: a step embedding scales and shifts the channels."""

    def __init__(self, width=16):
        super().__init__()
        self.inp, self.mid = nn.Conv2d(1, width, 3, padding=1), nn.Conv2d(width, width, 3, padding=1)
        self.out = nn.Conv2d(width, 1, 3, padding=1)
        self.time = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 2 * width))
        self.norm = nn.GroupNorm(4, width)

    def forward(self, noisy, steps):
        frequency = torch.exp(-torch.arange(4) * math.log(1000) / 4)
        angles = steps[:, None].float() * frequency
        scale, shift = self.time(torch.cat([angles.sin(), angles.cos()], 1)).chunk(2, 1)
        h = self.norm(self.inp(noisy))
        h = h * (1 + scale[:, :, None, None]) + shift[:, :, None, None]
        return self.out(F.silu(self.mid(F.silu(h))))


def build_denoiser():
    return dict(model=Denoiser(), args=(torch.randn(10, 1, 8, 8), torch.randint(1000, (10,))), targets=torch.randn(10, 1, 8, 8), loss=F.mse_loss)


class Flow(nn.Module):
    """Affine couplings with the log-determinant of each sample."""

    def __init__(self, size=8):
        super().__init__()
        self.nets = nn.ModuleList(nn.Sequential(nn.Linear(size // 2, 24), nn.ReLU(), nn.Linear(24, size)) for _ in range(3))

    def forward(self, x):
        logdet = x.new_zeros(len(x))
        for net in self.nets:
            a, b = x.chunk(2, 1)
            scale, shift = net(a).chunk(2, 1)
            scale = torch.tanh(scale)
            logdet = logdet + scale.sum(dim=1)
            x = torch.cat([b * scale.exp() + shift, a], 1)
        prior = -0.5 * x.square().sum(1)
        return x, prior + logdet


def build_flow():
    return dict(model=Flow(), args=(torch.randn(12, 8),), loss=lambda out, _: -out[1].mean())


class Capsules(nn.Module):
    """Dynamic routing between capsules."""

    def __init__(self, inputs=12, outputs=4, size=6):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1, inputs, outputs, 5, size) * 0.3)

    def forward(self, x):
        votes = torch.matmul(x[:, :, None, None, :], self.weight).squeeze(3)
        logits = torch.zeros(votes.shape[:3])
        for _ in range(3):
            share = logits.softmax(dim=2)
            total = (share[..., None] * votes).sum(dim=1)
            norm = total.norm(dim=-1, keepdim=True)
            caps = total * norm / (1 + norm.square())
            logits = logits + (votes * caps[:, None]).sum(-1)
        return caps.norm(dim=-1)


def build_capsules():
    return dict(model=Capsules(), args=(torch.randn(10, 12, 5),), targets=torch.randint(4, (10,)), loss=F.cross_entropy)


class DenseGraph(nn.Module):
    """Graph attention on padded adjacency matrices."""

    def __init__(self, width=16):
        super().__init__()
        self.lin = nn.Linear(5, width)
        self.left, self.right = nn.Linear(width, 1), nn.Linear(width, 1)
        self.head = nn.Linear(width, 3)

    def forward(self, nodes, adjacency, node_mask):
        h = self.lin(nodes)
        scores = F.leaky_relu(self.left(h) + self.right(h).transpose(1, 2))
        scores = scores.masked_fill(adjacency == 0, -1e9)
        h = F.elu(scores.softmax(-1) @ h)
        h = h * node_mask[..., None]
        return self.head(h.sum(1) / node_mask.sum(1, keepdim=True))


def build_dense_graph():
    lengths = torch.tensor([8, 3, 5, 8, 4, 6, 7, 5, 3, 8])
    mask = (torch.arange(8)[None] < lengths[:, None]).float()
    adjacency = (torch.rand(10, 8, 8) < 0.4).float()
    adjacency = ((adjacency + adjacency.transpose(1, 2) + torch.eye(8)) > 0).float() * mask[:, None] * mask[..., None]
    return dict(model=DenseGraph(), args=(torch.randn(10, 8, 5) * mask[..., None], adjacency, mask), targets=torch.randint(3, (10,)), loss=F.cross_entropy)


class Codebook(nn.Module):
    """VQ-VAE with a straight-through estimator."""

    def __init__(self, codes=12, width=6):
        super().__init__()
        self.down, self.up = nn.Conv2d(1, width, 4, 4), nn.ConvTranspose2d(width, 1, 4, 4)
        self.codes = nn.Embedding(codes, width)

    def forward(self, x):
        z = self.down(x).permute(0, 2, 3, 1)
        distance = torch.cdist(z.reshape(-1, z.size(-1)), self.codes.weight)
        chosen = distance.argmin(1).view(z.shape[:-1])
        q = self.codes(chosen)
        commit = F.mse_loss(q.detach(), z) + F.mse_loss(q, z.detach())
        q = z + (q - z).detach()
        return self.up(q.permute(0, 3, 1, 2)), commit


def build_codebook():
    x = torch.randn(9, 1, 16, 16)
    return dict(model=Codebook(), args=(x,), targets=x, loss=lambda out, y: F.mse_loss(out[0], y) + out[1])


class Contrast(nn.Module):
    """SimCLR: two views, a matrix of similarities over the batch."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 8))

    def forward(self, one, two):
        a, b = F.normalize(self.net(one)), F.normalize(self.net(two))
        return a @ b.t() / 0.1


def build_contrast():
    loss = lambda out, _: F.cross_entropy(out, torch.arange(len(out)))
    return dict(model=Contrast(), args=(torch.randn(10, 12), torch.randn(10, 12)), loss=loss)


class WideDeep(nn.Module):
    """DeepFM: pairs of features by the square of the sum."""

    def __init__(self, fields=5, size=20, width=6):
        super().__init__()
        self.first, self.table = nn.Embedding(fields * size, 1), nn.Embedding(fields * size, width)
        self.register_buffer("offset", torch.arange(fields) * size)
        self.deep = nn.Sequential(nn.Linear(fields * width, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))

    def forward(self, codes):
        codes = codes + self.offset
        e = self.table(codes)
        pairs = 0.5 * (e.sum(1).square() - e.square().sum(1)).sum(1, keepdim=True)
        return self.first(codes).sum(1) + pairs + self.deep(e.flatten(1))


def build_wide_deep():
    return dict(model=WideDeep(), args=(torch.randint(20, (18, 5)),), targets=torch.rand(18, 1), loss=F.mse_loss)


class Actor(nn.Module):
    """A shared trunk with a policy and a value; observations in a dictionary."""

    def __init__(self):
        super().__init__()
        self.eyes = nn.Sequential(nn.Conv2d(1, 8, 3, 2), nn.ReLU(), nn.Flatten())
        self.trunk = nn.Linear(8 * 9 + 4, 24)
        self.policy, self.value = nn.Linear(24, 3), nn.Linear(24, 1)

    def forward(self, observation):
        seen = self.eyes(observation["image"])
        h = torch.tanh(self.trunk(torch.cat([seen, observation["body"]], dim=1)))
        return self.policy(h).log_softmax(-1), self.value(h).squeeze(-1)


def build_actor():
    observation = {"image": torch.randn(9, 1, 8, 8), "body": torch.randn(9, 4)}
    return dict(model=Actor(), args=(observation,))


class Margin(nn.Module):
    """ArcFace: the label's own column is shifted by a margin."""

    def __init__(self, classes=7):
        super().__init__()
        self.net, self.weight = nn.Linear(10, 8), nn.Parameter(torch.randn(classes, 8))

    def forward(self, x, labels):
        cosine = F.linear(F.normalize(self.net(x)), F.normalize(self.weight))
        margin = F.one_hot(labels, cosine.size(1)) * 0.3
        return 10 * (cosine - margin)


def build_margin():
    labels = torch.randint(7, (13,))
    return dict(model=Margin(), args=(torch.randn(13, 10), labels), targets=labels, loss=F.cross_entropy)


class Kernel(nn.Module):
    """A radial network with learned centres and a memory read by attention."""

    def __init__(self, centres=9):
        super().__init__()
        self.centres, self.width = nn.Parameter(torch.randn(centres, 6)), nn.Parameter(torch.ones(centres))
        self.memory = nn.Parameter(torch.randn(20, 9))
        self.head = nn.Linear(18, 2)

    def forward(self, x):
        radial = torch.exp(-torch.cdist(x, self.centres).square() * self.width.exp() / 20)
        read = (radial @ self.memory.t()).softmax(dim=1) @ self.memory
        return self.head(torch.cat([radial, read], 1))


def build_kernel():
    return dict(model=Kernel(), args=(torch.randn(15, 6),), targets=torch.randint(2, (15,)), loss=F.cross_entropy)


class Slots(nn.Module):
    """Slot attention: slots compete for the pixels."""

    def __init__(self, width=12, slots=3):
        super().__init__()
        self.inp = nn.Conv2d(3, width, 4, 4)
        self.slots = nn.Parameter(torch.randn(1, slots, width))
        self.q, self.k, self.v = (nn.Linear(width, width) for _ in range(3))
        self.cell = nn.GRUCell(width, width)

    def forward(self, images):
        x = self.inp(images).flatten(2).transpose(1, 2)
        k, v = self.k(x), self.v(x)
        slots = self.slots.expand(len(x), -1, -1)
        for _ in range(2):
            share = (k @ self.q(slots).transpose(1, 2)).softmax(dim=-1)
            share = share / share.sum(1, keepdim=True)
            update = share.transpose(1, 2) @ v
            slots = self.cell(update.flatten(0, 1), slots.reshape(-1, slots.size(-1))).view_as(slots)
        return slots


def build_slots():
    return dict(model=Slots(), args=(torch.randn(8, 3, 16, 16),))
