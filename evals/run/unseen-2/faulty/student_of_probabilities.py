"""Both sides of a distillation loss are probabilities, of which one should be a logarithm."""

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


class Distiller:
    def __init__(self, teacher, student, heat=2.0):
        self.teacher, self.student, self.heat = teacher, student, heat
        self.divergence = nn.KLDivLoss(reduction="batchmean")
        self.optimizer = torch.optim.Adam(student.parameters(), lr=5e-3)

    def loss(self, x):
        with torch.no_grad():
            wanted = (self.teacher(x) / self.heat).softmax(-1)
        given = (self.student(x) / self.heat).softmax(-1)
        return self.divergence(given, wanted)  # run: kl-div-wants-log

    def fit(self, x, epochs):
        self.teacher.eval()
        self.student.train()
        for _ in range(epochs):
            for part in torch.randperm(len(x)).split(30):
                loss = self.loss(x[part])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_wine(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
teacher = nn.Sequential(nn.Linear(13, 64), nn.ReLU(), nn.Linear(64, 3))
student = nn.Sequential(nn.Linear(13, 4), nn.ReLU(), nn.Linear(4, 3))
optimizer = torch.optim.LBFGS(teacher.parameters(), lr=0.5)


def closure():
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(teacher(x), y)
    loss.backward()
    return loss


for _ in range(3):
    optimizer.step(closure)
print(f"{Distiller(teacher, student).fit(x, 10):.5f}")
show(teacher, student)
