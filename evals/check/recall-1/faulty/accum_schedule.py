import torch
from torch import nn, optim
from torch.optim.lr_scheduler import CosineAnnealingLR

ACCUM = 8
model = nn.Sequential(nn.Linear(30, 60), nn.BatchNorm1d(60), nn.ReLU(), nn.Linear(60, 1))
optimizer = optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
scheduler = CosineAnnealingLR(optimizer, T_max=20)
dataset = torch.utils.data.TensorDataset(torch.randn(33 * 16 + 1, 30), torch.randn(33 * 16 + 1, 1))
loader = torch.utils.data.DataLoader(dataset, batch_size=16, shuffle=True)  # check: batchnorm-single-value
mse = nn.MSELoss()

for epoch in range(20):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        out = model(x)
        loss = mse(out, y)
        loss.backward()  # check: accumulation-unscaled
        if (i + 1) % ACCUM == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
    print(f'{epoch}: {loss.item():.4f}')

model.eval()
with torch.no_grad():
    x, y = dataset[:100]
    print('mse', mse(model(x), y).item())
