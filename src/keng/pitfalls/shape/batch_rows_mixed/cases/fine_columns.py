# one column of each row, and columns for all
import torch

scores, order = torch.randn(4, 3), torch.randperm(3)
best = scores.argmax(dim=1)
scores[torch.arange(4), best], scores.gather(1, best.unsqueeze(1)), scores[:, order]
scores[:, scores.mean(0).argmax()], scores[:, scores.sum(0).argsort()]
top = scores.argmax(dim=1, keepdim=True)
scores[:, 0], scores[:, 1:], scores[:, [0, 2]]
