import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, n_mels, n_classes):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(n_mels, 64, 5, bias=False), nn.BatchNorm1d(64), nn.ReLU())
        self.rnn = nn.LSTM(64, 64, batch_first=True)
        self.fc = nn.Linear(64, n_classes)

    def encode(self, x):
        return self.conv(x.transpose(1, 2)).transpose(1, 2)

    def forward(self, x):
        out, _ = self.rnn(self.encode(x))
        return self.fc(out[:, -1])
