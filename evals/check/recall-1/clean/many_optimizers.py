import itertools

import torch
from torch import nn


class CycleGAN(nn.Module):
    def __init__(self):
        super().__init__()
        self.ab, self.ba = nn.Linear(4, 4), nn.Linear(4, 4)
        self.da, self.db = nn.Linear(4, 1), nn.Linear(4, 1)


def gan(pred, real):
    return ((pred - (1.0 if real else 0.0)) ** 2).mean()


def set_grad(nets, flag):
    for n in nets:
        for p in n.parameters():
            p.requires_grad = flag


class Pool:
    def __init__(self, size=50):
        self.size, self.items = size, []

    def query(self, batch):
        self.items = (self.items + [b.detach() for b in batch])[-self.size:]
        idx = torch.randint(len(self.items), (len(batch),)).tolist()
        return torch.stack([self.items[i] for i in idx])


m = CycleGAN()
opts = {
    'g': torch.optim.Adam(itertools.chain(m.ab.parameters(), m.ba.parameters()), 2e-4),
    'd': torch.optim.Adam(itertools.chain(m.da.parameters(), m.db.parameters()), 2e-4),
}
scheds = [torch.optim.lr_scheduler.LambdaLR(o, lambda e: 1 - e / 10) for o in opts.values()]
pa, pb = Pool(), Pool()
for epoch in range(3):
    for _ in range(4):
        a, b = torch.randn(6, 4), torch.randn(6, 4)
        fb, fa = m.ab(a), m.ba(b)
        set_grad([m.da, m.db], False)
        opts['g'].zero_grad()
        cyc = (m.ba(fb) - a).abs().mean() + (m.ab(fa) - b).abs().mean()
        g = gan(m.db(fb), True) + gan(m.da(fa), True) + 10 * cyc
        g.backward()
        opts['g'].step()
        set_grad([m.da, m.db], True)
        opts['d'].zero_grad()
        d = 0.5 * (gan(m.da(a), True) + gan(m.da(pa.query(fa)), False)
                   + gan(m.db(b), True) + gan(m.db(pb.query(fb)), False))
        d.backward()
        opts['d'].step()
    for s in scheds:
        s.step()
    print(epoch, g.item(), d.item())
