# both branches give one value for each row; a kept dimension; other values in each branch
import torch


def targets(q_next, other, best_actions, double_q):
    if double_q:
        q_next = q_next.gather(1, best_actions.unsqueeze(-1)).squeeze(1)
    else:
        q_next = q_next.max(1)[0]
    if double_q:
        kept = other.max(dim=1, keepdim=True)[0]
    else:
        kept = other.gather(1, best_actions.unsqueeze(-1))
    if double_q:
        part = q_next.unsqueeze(1)
    else:
        part = other.mean(1, keepdim=True)
    return q_next, kept, part


out = targets(torch.rand(4, 3), torch.rand(4, 3), torch.tensor([0, 1, 2, 0]), double_q=True)
