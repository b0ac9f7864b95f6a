import torch
from torch import nn
from torch.autograd import Function


class SignSTE(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 1)


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None


class BinaryLinear(nn.Linear):
    def forward(self, x):
        return nn.functional.linear(x, SignSTE.apply(self.weight), self.bias)


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.feat = nn.Sequential(BinaryLinear(8, 32), nn.BatchNorm1d(32), nn.ReLU())
        self.cls, self.dom = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, x, lam=1.0):
        f = self.feat(x)
        return self.cls(f), self.dom(GradReverse.apply(f, lam)).squeeze(1)


net = DANN()
opt = torch.optim.Adam(net.parameters(), 1e-3)
bce = nn.BCEWithLogitsLoss()
for it in range(20):
    xs, ys, xt = torch.randn(16, 8), torch.randint(3, (16,)), torch.randn(16, 8) + 1
    cs, ds = net(xs)
    _, dt = net(xt)
    loss = nn.functional.cross_entropy(cs, ys) + bce(ds, torch.zeros(16)) + bce(dt, torch.ones(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for m in net.modules():
            if isinstance(m, BinaryLinear):
                m.weight.clamp_(-1, 1)
x = torch.randn(4, 2, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(lambda v: GradReverse.apply(v, -1.0), (x,)))
