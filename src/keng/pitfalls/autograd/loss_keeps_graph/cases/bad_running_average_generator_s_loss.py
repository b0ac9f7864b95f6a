# a running average of a generator's loss, beside the steps of its critic
import torch
from torch import nn

G, C = nn.Linear(4, 2), nn.Linear(2, 1)
g_opt = torch.optim.SGD(G.parameters(), lr=0.01)
c_opt = torch.optim.SGD(C.parameters(), lr=0.01)
average = 0.0
for step in range(40):
    for _ in range(2):
        with torch.no_grad():
            fake = G(torch.randn(8, 4))
        c_loss = C(fake).mean() - C(torch.randn(8, 2)).mean()
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
    g_loss = -C(G(torch.randn(8, 4))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    average = 0.9 * average + 0.1 * g_loss  # check: all that came before hangs on it
nodes, todo = 0, [average.grad_fn]
while node := todo.pop():
    nodes += 1
    todo += [before for before, _ in reversed(node.next_functions) if before is not None]
    todo = todo or [None]

# proof
assert nodes > 400
