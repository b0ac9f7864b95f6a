# a negated nll_loss picks the probabilities of the targets; their logarithm is taken of the sum
import torch
import torch.nn.functional as F

x = torch.randn(4, 3, requires_grad=True)
probabilities = F.softmax(x, dim=1)
total = None
for labels in torch.tensor([[0, 1, 2, 0], [1, 2, 0, 1]]):
    picked = -F.nll_loss(probabilities, labels, reduction="none")
    total = picked if total is None else total + picked
loss = -torch.log(total).mean()
loss.backward()
