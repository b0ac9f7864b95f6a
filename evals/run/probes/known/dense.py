"""Images in, maps or boxes out; generative models; graphs."""

import torch
import torch.nn.functional as F
from torch import nn


def double(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.Conv2d(o, o, 3, padding=1), nn.ReLU()
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2, self.mid = double(1, 8), double(8, 16), double(16, 32)
        self.up2, self.u2 = nn.ConvTranspose2d(32, 16, 2, 2), double(32, 16)
        self.up1, self.u1 = nn.ConvTranspose2d(16, 8, 2, 2), double(16, 8)
        self.out = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        m = m - m.mean(dim=(2, 3), keepdim=True)
        b = self.u2(torch.cat([self.up2(m), b], 1))
        a = self.u1(torch.cat([self.up1(b), a], 1))
        return self.out(a)


def build_unet():
    return dict(model=UNet(), args=(torch.randn(8, 1, 16, 16),), targets=torch.randint(3, (8, 16, 16)), loss=F.cross_entropy)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(30, 40), nn.ReLU(), nn.Linear(40, 16))
        self.decoder = nn.Sequential(nn.Linear(8, 40), nn.ReLU(), nn.Linear(40, 30))

    def forward(self, x):
        mean, logvar = self.encoder(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * logvar).exp()
        return self.decoder(z), mean, logvar


def build_vae():
    x = torch.randn(14, 30)
    kl = lambda m, s: -0.5 * (1 + s - m.square() - s.exp()).mean()
    return dict(model=VAE(), args=(x,), targets=x, loss=lambda out, y: F.mse_loss(out[0], y) + kl(*out[1:]))


class SSD(nn.Module):
    """Boxes and classes for each cell of a feature map."""

    def __init__(self, classes=4, anchors=3):
        super().__init__()
        self.classes = classes
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 16, 3, 2, 1), nn.ReLU()
        )
        self.boxes = nn.Conv2d(16, anchors * 4, 3, padding=1)
        self.scores = nn.Conv2d(16, anchors * classes, 3, padding=1)

    def forward(self, images):
        features = self.backbone(images)
        B = features.size(0)
        boxes = self.boxes(features).permute(0, 2, 3, 1).reshape(B, -1, 4)
        scores = self.scores(features).permute(0, 2, 3, 1)
        scores = scores.reshape(B, -1, self.classes)
        return {"boxes": boxes, "scores": scores.softmax(-1)}


def build_ssd():
    return dict(model=SSD(), args=(torch.randn(9, 3, 16, 16),))


class GraphNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.lin1, self.lin2 = nn.Linear(6, width), nn.Linear(width, width)
        self.head = nn.Linear(width, 2)

    def spread(self, x, edge_index):
        source, target = edge_index
        out = torch.zeros_like(x).index_add_(0, target, x[source])
        degree = torch.zeros(len(x)).index_add_(0, target, torch.ones(len(source)))
        return out / degree.clamp(min=1)[:, None]

    def forward(self, x, edge_index, batch):
        h = F.relu(self.lin1(x + self.spread(x, edge_index)))
        h = F.relu(self.lin2(h + self.spread(h, edge_index)))
        graphs = int(batch.max()) + 1
        pooled = torch.zeros(graphs, h.size(1)).index_add_(0, batch, h)
        count = torch.bincount(batch, minlength=graphs)
        pooled = pooled / count[:, None]
        return self.head(pooled)


def graphs(count, features):
    nodes, edges, batch, start = [], [], [], 0
    for graph in range(count):
        n = 3 + graph % 4
        nodes.append(torch.randn(n, features))
        ring = torch.arange(n)
        edges.append(torch.stack([ring, (ring + 1) % n]) + start)
        batch.append(torch.full((n,), graph))
        start += n
    edge_index = torch.cat(edges, 1)
    return torch.cat(nodes), torch.cat([edge_index, edge_index.flip(0)], 1), torch.cat(batch)


def build_graph_net():
    return dict(model=GraphNet(), args=graphs(8, 6), targets=torch.randint(2, (8,)), loss=F.cross_entropy)


class DCGAN(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(10, 32 * 4 * 4)
        self.net = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, noise):
        x = self.project(noise).view(-1, 32, 4, 4)
        return self.net(x)


def build_dcgan():
    return dict(model=DCGAN(), args=(torch.randn(12, 10),))
