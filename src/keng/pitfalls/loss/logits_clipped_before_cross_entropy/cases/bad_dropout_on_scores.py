# dropout on the scores
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))
with torch.no_grad():
    model[0].weight.copy_(20 * torch.eye(3))
    model[0].bias.zero_()
y = torch.arange(3).repeat(20)
output = model(torch.eye(3)[y])
loss = nn.CrossEntropyLoss()(output, y)  # check: `output` has passed `Dropout`

# proof
assert loss > 0.2 and nn.CrossEntropyLoss()(model.eval()(torch.eye(3)[y]), y) < 0.001
