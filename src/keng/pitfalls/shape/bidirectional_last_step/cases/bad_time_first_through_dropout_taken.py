# time first; through dropout; taken at once
import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.GRU(3, 8, bidirectional=True), nn.GRU(3, 8, 2, True, True, 0.0, True)
drop, x = nn.Dropout(0.5).eval(), torch.randn(10, 4, 3)
out, state = first(x)
out = drop(out)
last = out[-1]  # check: the backward half has read one step
summary = second(x.transpose(0, 1))[0][:, -1]  # check: as well
steps, hidden = first(x)
print(steps.shape)
final = steps[-1]  # check: as well

# proof
assert torch.equal(last[:, 8:], first(x[-1:])[0][0, :, 8:])
assert not torch.allclose(last[:, 8:], state[1])
