import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MeanTeacher:
    def __init__(self, student: nn.Module, decay=0.99):
        self.student = student
        self.teacher = copy.deepcopy(student)
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.decay = decay

    @torch.no_grad()
    def update(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)
        for t, s in zip(self.teacher.buffers(), self.student.buffers()):
            t.copy_(s)

    def consistency(self, x, t=1.0):
        noisy = x + 0.1 * torch.randn_like(x)
        with torch.no_grad():
            target = F.softmax(self.teacher(x) / t, dim=1)
        return F.mse_loss(F.softmax(self.student(noisy) / t, dim=1), target)


def rampup(step, length=50):
    return min(1.0, step / length)


def main():
    net = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))
    mt = MeanTeacher(net)
    mt.teacher.train()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    labelled = torch.randn(32, 12), torch.randint(0, 4, (32,))
    for step in range(30):
        net.train()
        unl = torch.randn(64, 12)
        sup = F.cross_entropy(net(labelled[0]), labelled[1])
        loss = sup + rampup(step) * mt.consistency(unl)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mt.update()
    mt.teacher.eval()
    with torch.no_grad():
        print((mt.teacher(labelled[0]).argmax(1) == labelled[1]).float().mean())


main()
