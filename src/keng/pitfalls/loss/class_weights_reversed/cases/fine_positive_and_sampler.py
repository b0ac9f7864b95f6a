# positive labels that are rare and count more; columns of one size; a sampler of inverse counts
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.rand(600, 3) < torch.tensor([0.1, 0.2, 0.5])).float()
positive = labels.mean(0)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
classes = labels[:, 0].long()
weights = 1 / torch.bincount(classes)[classes]
x = torch.randn(600, 4)
loader = DataLoader(TensorDataset(x, labels), 40, sampler=WeightedRandomSampler(weights, 600))
for epoch in range(3):
    for given, wanted in loader:
        output = model(given)
        loss = nn.functional.binary_cross_entropy_with_logits(output, wanted, pos_weight=1 / positive - 1)
        loss = loss + nn.functional.binary_cross_entropy_with_logits(output, wanted, pos_weight=torch.tensor(2.0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
