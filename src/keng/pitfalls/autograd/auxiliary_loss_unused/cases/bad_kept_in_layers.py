# each layer keeps its loss in an attribute, and nobody collects them
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(8, 2)
        self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(2))
        self.aux_loss = None

    def forward(self, x):
        share = self.router(x).softmax(-1)
        self.aux_loss = 2 * share.mean(0).square().sum()
        return x + sum(share[:, i : i + 1] * expert(x) for i, expert in enumerate(self.experts))


torch.manual_seed(0)
model = nn.Sequential(Layer(), Layer(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    logits = model(torch.randn(16, 8))  # run: `0.aux_loss` and 1 more
    loss = nn.functional.cross_entropy(logits, torch.randint(3, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# proof
x, y = torch.randn(16, 8), torch.randint(3, (16,))
plain = torch.autograd.grad(nn.functional.cross_entropy(model(x), y), model[0].router.weight)[0]
loss = nn.functional.cross_entropy(model(x), y)
whole = torch.autograd.grad(loss + model[0].aux_loss, model[0].router.weight)[0]
assert not torch.allclose(plain, whole)
