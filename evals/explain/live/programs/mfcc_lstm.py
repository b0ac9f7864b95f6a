import torch
from torch import nn

N_MFCC = 13
N_MELS = 40
FRAMES = 100


class Keyword(nn.Module):
    def __init__(self, hidden=64, words=12):
        super().__init__()
        self.lstm = nn.LSTM(N_MFCC, hidden, num_layers=2, batch_first=True)
        self.fc = nn.Linear(hidden, words)

    def forward(self, features):
        out, _ = self.lstm(features)
        return self.fc(out[:, -1])


def features(batch):
    return torch.randn(batch, FRAMES, N_MELS)


model = Keyword()
print(model(features(6)).argmax(1))
