import torch
import torch.nn as nn
import torch.nn.functional as F


def rotate(img, degrees):
    a = torch.deg2rad(torch.tensor(float(degrees)))
    c, s = torch.cos(a), torch.sin(a)
    theta = torch.stack([torch.stack([c, -s, torch.zeros(())]), torch.stack([s, c, torch.zeros(())])])
    grid = F.affine_grid(theta.unsqueeze(0), [1, *img.shape], align_corners=True)
    return F.grid_sample(img.unsqueeze(0), grid, align_corners=False)[0]  # check: affine-grid-convention


def hflip(img):
    return img[:, :, ::-1] if isinstance(img, list) else torch.flip(img, [2])


def vflip(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    return y[:, ::-1, :]  # check: tensor-sliced-backwards


class STN(nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 32), nn.ReLU(), nn.Linear(32, 6))
        self.loc[-1].weight.data.zero_()
        self.loc[-1].bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0.]))
        self.cls = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 10))

    def forward(self, x):
        theta = self.loc(x).view(-1, 2, 3)
        grid = F.affine_grid(theta, x.shape, align_corners=False)
        return self.cls(F.grid_sample(x, grid, align_corners=False))


net = STN()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(5):
    x, y = torch.rand(16, 1, 28, 28), torch.randint(0, 10, (16,))
    x = torch.stack([rotate(v, 15) for v in x])
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in net.parameters():
        p.data.clamp_(-2, 2)
