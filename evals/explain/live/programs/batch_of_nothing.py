import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(16, 3), torch.randn(16, 1))
batch_size = int(0.05 * len(data))
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.LBFGS(model.parameters())


def closure():
    optimizer.zero_grad()
    loss = sum(((model(x) - y) ** 2).sum() for x, y in loader)
    loss.backward()
    return loss


loader = DataLoader(data, batch_size=batch_size, shuffle=True)
for _ in range(3):
    print(optimizer.step(closure))
