# the parts of two random splits are used together
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
data = TensorDataset(torch.randn(240, 3, 4, 4), torch.randint(2, (240,)))


def part(number):
    return random_split(data, [160, 80])[number]


train, valid = DataLoader(part(0), batch_size=32, shuffle=True), DataLoader(part(1), batch_size=40)
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 256), nn.ReLU(), nn.Linear(256, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(12):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    right = 0
    with torch.no_grad():
        for x, y in valid:
            right += (model(x).argmax(1) == y).sum().item()  # run: of the 80 rows evaluated here
# proof
assert right / 80 > 0.65
