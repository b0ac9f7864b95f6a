# a loss that is wrapped
import torch
from torch import nn
from torch.autograd import Variable

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(4, 8)).square().mean()
loss = Variable(loss, requires_grad=True)  # check: cut off from the model
loss.backward()

# proof
assert model.weight.grad is None
