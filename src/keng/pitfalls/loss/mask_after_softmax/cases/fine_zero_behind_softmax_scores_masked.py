# zero after the softmax; scores that are masked; logarithms
import torch

torch.manual_seed(0)
scores, mask = torch.randn(2, 5), torch.tensor([True, False, True, True, False])
weights = torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
hidden = scores.masked_fill(mask, -1e9)
logs = torch.log_softmax(scores, dim=-1).masked_fill(mask, float("-inf"))


def best_allowed(scores, forbidden):
    chances = torch.softmax(scores, dim=-1)
    return chances.masked_fill(forbidden, float("-inf")).argmax(dim=-1)


chosen = best_allowed(scores, mask)
