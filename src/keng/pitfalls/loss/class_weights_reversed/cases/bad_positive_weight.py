# pos_weight is positives / negatives, and a sampler has the sizes of the classes as weights
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.arange(600) % 6 == 0).float()
x = torch.randn(600, 4)
model = nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss(pos_weight=labels.sum() / (1 - labels).sum())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for rows in torch.randperm(600).split(40):
        loss = criterion(model(x[rows]).squeeze(1), labels[rows])  # run: so it adds to the imbalance
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
sizes = torch.tensor([500.0, 100.0])[labels.long()]
loader = DataLoader(TensorDataset(x, labels), 40, sampler=WeightedRandomSampler(sizes, 600))
drawn = torch.cat([y for _, y in loader])  # run: is proportional to the size of its group
# proof
assert drawn.mean() < 0.1 < labels.mean()
