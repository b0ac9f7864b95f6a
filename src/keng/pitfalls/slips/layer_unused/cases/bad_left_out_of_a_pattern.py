# a normalization that is left out between others; the query's projection, with the key's in its place; the weights are initialized by name
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm_out = nn.Conv1d(2, 4, 1), nn.Identity()
        self.bn1 = nn.BatchNorm1d(4)
        self.conv2 = nn.Conv1d(4, 4, 1)
        self.bn2 = nn.BatchNorm1d(4)  # check: `bn2` is created here
        self.conv3 = nn.Conv1d(4, 2, 1)
        self.bn3 = nn.BatchNorm1d(2)
        for module in self.modules():
            if isinstance(module, nn.Conv1d):
                nn.init.kaiming_normal_(module.weight)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.conv2(x))
        return self.norm_out(self.bn3(self.conv3(x)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear_q = nn.Linear(4, 4)  # check: `linear_q` is created here
        self.linear_k = nn.Linear(4, 4)
        self.linear_v = nn.Linear(4, 4)

    def forward(self, x):
        query, key = self.linear_k(x), self.linear_k(x)
        weights = (query @ key.transpose(-2, -1)).softmax(-1)
        return weights @ self.linear_v(x)


block, attention = Block(), Attention()
(block(torch.ones(2, 2, 3)).sum() + attention(torch.ones(2, 3, 4)).sum()).backward()

# proof
assert block.bn2.weight.grad is None and attention.linear_q.weight.grad is None
