# what the loss is, a helper decides
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 4


def step_loss(x, y):
    errors = model(x).squeeze(1) - y
    return {"loss": errors.square().mean(), "errors": errors.detach()}


for i in range(8):
    loss = step_loss(torch.randn(8, 4), torch.randn(8))["loss"]
    loss.backward()  # check: `accumulation_steps`
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()

# proof
x, y = torch.zeros(32, 4), torch.ones(32)
model.bias.data.zero_()
step_loss(x, y)["loss"].backward()
whole = model.bias.grad.clone()
optimizer.zero_grad()
for part in range(4):
    step_loss(x[:8], y[:8])["loss"].backward()
assert torch.allclose(model.bias.grad, 4 * whole)
