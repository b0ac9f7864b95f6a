# what the loss is, a helper decides
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 4
start = {name: value.clone() for name, value in model.state_dict().items()}
x, y = torch.randn(32, 4), torch.randn(32)


def step_loss(x, y):
    errors = model(x).squeeze(1) - y
    return {"loss": errors.square().mean(), "errors": errors.detach()}


for i in range(4):
    loss = step_loss(x[8 * i : 8 * i + 8], y[8 * i : 8 * i + 8])["loss"]
    loss.backward()  # check: `accumulation_steps`
    if (i + 1) % accumulation_steps == 0:
        summed = model.bias.grad.clone()
        optimizer.step()
        optimizer.zero_grad()

# proof
model.load_state_dict(start)
step_loss(x, y)["loss"].backward()
assert torch.allclose(summed, 4 * model.bias.grad)
