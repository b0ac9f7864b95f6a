# losses that are kept
import torch
from torch import nn

torch.cuda.set_per_process_memory_fraction(2**32 / torch.cuda.mem_get_info()[1])
model = nn.Sequential(nn.Linear(2**12, 2**14), nn.Linear(2**14, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
losses = []
for step in range(100):
    loss = model(torch.randn(2**12, 2**12, device="cuda")).mean()
    loss.backward(retain_graph=True)  # run: each loss keeps 320 MiB
    optimizer.step()
    losses.append(loss)
