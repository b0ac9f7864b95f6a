# outputs of one epoch, evaluations included; replay memories; references to data that exists anyway; numbers
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
model = nn.Linear(8, 512)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.randn(140 * 64, 8)
outputs, memory, rows, losses = [], [], [], []
for step, x in enumerate(DataLoader(data, batch_size=64)):
    optimizer.zero_grad()
    out = model(x)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    outputs.append(out.detach())
    losses.append(loss.item())
    if step % 20 == 0:
        with torch.no_grad():
            print(max(model(x).mean().item() for x in DataLoader(data[:128], batch_size=64)))
print(torch.cat(outputs).mean().item())
big = torch.zeros(5_000_000)
for step in range(140):
    memory.append(torch.randn(64, 1024))
    rows.append(big[step])
    losses.append(step)
    optimizer.zero_grad()
    model(memory[torch.randint(len(memory), ())][:, :8]).square().mean().backward()
    optimizer.step()
