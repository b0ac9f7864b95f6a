"""An initialization of one's own gives every hidden unit a bias that it never comes out of."""

import torch
import torch.nn.functional as F
from digest import show
from sklearn.datasets import load_digits
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 16, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        x = F.relu(self.fc1(x))  # run: gradients-explode-or-vanish
        return self.fc2(x)  # run: gradients-explode-or-vanish


def init_weights(m):
    if isinstance(m, (nn.Conv2d, nn.Linear)):
        nn.init.xavier_uniform_(m.weight)
        nn.init.zeros_(m.bias)
    if isinstance(m, nn.Linear) and m.out_features == 64:
        nn.init.constant_(m.bias, -10.0)  # run: gradients-explode-or-vanish


torch.manual_seed(0)
digits = load_digits()
images = torch.tensor(digits.images).float().unsqueeze(1) / 16
labels = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(images, labels), batch_size=64, shuffle=True)
net = Net()
net.apply(init_weights)
optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    running = 0.0
    for x, t in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), t)
        loss.backward()  # run: gradients-explode-or-vanish
        optimizer.step()  # run: gradients-explode-or-vanish
        running += loss.item()
    print(epoch, f"{running / len(loader):.4f}")
show(net)
