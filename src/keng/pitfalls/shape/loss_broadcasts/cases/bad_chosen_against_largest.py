# the value of the action taken, a column, against the largest of the next state, a row
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
net, target = nn.Linear(4, 3), nn.Linear(4, 3)
states, following = torch.randn(5, 4), torch.randn(5, 4)
actions, rewards, done = torch.randint(3, (5,)), torch.randn(5), torch.zeros(5)
chosen = net(states).gather(1, actions.unsqueeze(1))
with torch.no_grad():
    largest = target(following).max(1)[0]
expected = rewards + 0.9 * largest * (1 - done)
loss = F.smooth_l1_loss(chosen, expected)  # check: (B, 1)
error = expected.detach() - chosen  # check: they broadcast to (B, B)

# proof
assert error.shape == (5, 5)
