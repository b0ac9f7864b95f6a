# targets that are detached or frozen, also by the caller; trained with the whole; a judge that gradients pass through
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.old, self.frozen = copy.deepcopy(self.q), copy.deepcopy(self.q)
        for p in self.frozen.parameters():
            p.requires_grad = False
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.01)

    def wanted(self, after):
        with torch.no_grad():
            return self.old(after).max(1).values

    def learn(self, state, after):
        wanted = self.wanted(after) + self.frozen(after).max(1).values
        loss = F.mse_loss(self.q(state).max(1).values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def learn_cut(self, state, after):
        wanted = self.old(after).max(1).values
        loss = F.mse_loss(self.q(state).max(1).values, wanted.detach())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def distill(student, teacher, loader):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    teacher.eval()
    for x in loader:
        wanted = teacher(x)
        loss = (student(x) - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def perceptual(maker, judge, loader):
    optimizer = torch.optim.SGD(maker.parameters(), lr=0.1)
    judge.eval()
    for x in loader:
        made = maker(x)
        loss = judge(made).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 2), nn.Linear(4, 2)
        self.b.load_state_dict(self.a.state_dict())

    def fit(self, loader):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        for x in loader:
            loss = (self.a(x) - self.b(x)).square().mean() + self.b.weight.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


agent, batch = Agent(), (torch.randn(8, 4), torch.randn(8, 4))
agent.learn(*batch)
agent.learn_cut(*batch)
loader = DataLoader(torch.randn(12, 4), batch_size=4)
net = nn.Linear(4, 2).requires_grad_(False)
distill(nn.Linear(4, 2), net, loader)
perceptual(nn.Linear(4, 4), net, loader)
Pair().fit(loader)
