import torch
from torch import nn

FRAMES = 120
LETTERS = 28


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.sub = nn.Sequential(
            nn.Conv1d(40, 64, 3, stride=2, padding=1), nn.ReLU(), nn.Conv1d(64, 64, 3, stride=2, padding=1)
        )
        self.out = nn.Linear(64, LETTERS)

    def forward(self, x):
        return self.out(self.sub(x).transpose(1, 2)).log_softmax(-1)


speech = torch.randn(4, 40, FRAMES)
target = torch.randint(1, LETTERS, (4, 9))
logp = Acoustic()(speech).transpose(0, 1)
lengths = torch.full((4,), FRAMES)
loss = nn.CTCLoss()(logp, target, lengths, torch.full((4,), 9))
loss.backward()
