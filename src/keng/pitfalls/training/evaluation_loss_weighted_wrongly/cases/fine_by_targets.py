# losses weighted by their targets; batches of nearly equal size
import torch
from torch import nn

torch.manual_seed(0)
head = nn.Linear(4, 6)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
nn.functional.cross_entropy(head(torch.randn(8, 4)), torch.randint(6, (8,))).backward()
optimizer.step()
total, count, plain = 0.0, 0, 0.0
with torch.no_grad():
    for length in (2, 3, 9, 20):
        targets = torch.full((5, 20), -100)
        targets[:, :length] = torch.randint(6, (5, length))
        scores = head((12 / length) * torch.randn(5, 20, 4)).flatten(0, 1)
        loss = nn.functional.cross_entropy(scores, targets.flatten())
        number = (targets != -100).sum().item()
        total += loss.item() * number
        count += number
    for length in (18, 19, 20):
        targets = torch.full((5, 20), -100)
        targets[:, :length] = torch.randint(6, (5, length))
        scores = head(torch.randn(5, 20, 4)).flatten(0, 1)
        plain += nn.functional.cross_entropy(scores, targets.flatten()).item() / 3
