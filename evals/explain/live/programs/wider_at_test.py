import io

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.fc1 = nn.Linear(12, hidden)
        self.fc2 = nn.Linear(hidden, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


buffer = io.BytesIO()
torch.save(Net().state_dict(), buffer)
buffer.seek(0)

model = Net(hidden=128)
model.load_state_dict(torch.load(buffer))
model.eval()
print(model(torch.randn(1, 12)).softmax(-1))
