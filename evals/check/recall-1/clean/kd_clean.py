import torch
import torch.nn as nn
import torch.nn.functional as F


class Distiller(nn.Module):
    def __init__(self, student, teacher, t=3.0):
        super().__init__()
        self.student = student
        self.teacher = teacher.eval()
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.t = t

    def train(self, mode=True):
        self.student.train(mode)
        return self

    def forward(self, x, y):
        s = self.student(x)
        with torch.no_grad():
            t = self.teacher(x)
        soft = F.kl_div(F.log_softmax(s / self.t, -1), F.log_softmax(t / self.t, -1),
                        reduction='batchmean', log_target=True) * self.t ** 2
        hard = F.cross_entropy(s, y)
        mutual = F.kl_div(F.log_softmax(s, 1), F.softmax(t, 1), reduction='none').sum(1).mean()
        return soft + hard + 0.1 * mutual


def net(width):
    return nn.Sequential(nn.Linear(10, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 4))


d = Distiller(net(16), net(128))
opt = torch.optim.Adam(d.student.parameters(), 1e-3)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)
x, y = torch.randn(160, 10), torch.randint(4, (160,))
for epoch in range(3):
    d.train()
    for i in range(0, 160, 32):
        opt.zero_grad()
        loss = d(x[i:i + 32], y[i:i + 32])
        loss.backward()
        opt.step()
    d.student.eval()
    with torch.no_grad():
        val = F.cross_entropy(d.student(x), y)
    sched.step(val)
    print(epoch, val.item())
