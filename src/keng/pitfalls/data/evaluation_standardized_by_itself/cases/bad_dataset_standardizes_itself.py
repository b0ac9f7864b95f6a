# a dataset class standardizes the channels of its own images, and there is one of each part
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Scans(Dataset):
    def __init__(self, level, count):
        images = level + level * torch.rand(count, 2, 6, 6)
        spread, middle = torch.std_mean(images, (0, 2, 3), keepdim=True)
        self.images = (images - middle) / spread
        self.doses = images.mean((1, 2, 3))

    def __len__(self):
        return len(self.doses)

    def __getitem__(self, index):
        return self.images[index], self.doses[index]


train, test = DataLoader(Scans(1.0, 96), batch_size=16), DataLoader(Scans(3.0, 48), batch_size=16)
model = nn.Sequential(nn.Flatten(), nn.Linear(72, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    model.train()
    for x, y in train:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x).squeeze(1), y).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    errors = [nn.functional.l1_loss(model(x).squeeze(1), y).item() for x, y in test]  # run: the 48 rows evaluated here
# proof
assert min(errors) > 1.5
