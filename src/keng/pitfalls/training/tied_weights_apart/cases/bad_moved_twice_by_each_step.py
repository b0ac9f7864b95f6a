# never moved: one memory, two parameters, and Adam's moments for each
import torch
from torch import nn

torch.manual_seed(0)
embed, head = nn.Embedding(12, 8), nn.Linear(8, 12)
head.weight = nn.Parameter(embed.weight.data)
model = nn.ModuleDict({"embed": embed, "head": head})
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(4):
    ids = torch.randint(12, (16,))
    loss = nn.functional.cross_entropy(head(embed(ids)), (ids + 1) % 12)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # run: two parameters in one memory
# proof
assert head.weight is not embed.weight and head.weight.data_ptr() == embed.weight.data_ptr()
