# one branch of double Q-learning keeps a dimension that the other one loses
import torch


def targets(q_next, best_actions, rewards, double_q):
    if double_q:
        q_next = q_next.gather(1, best_actions.unsqueeze(-1))
    else:
        q_next = q_next.max(1)[0]  # check: `q_next` has one dimension more or less here
    return rewards + 0.99 * q_next


q_next, best = torch.rand(4, 3), torch.tensor([0, 1, 2, 0])
out = targets(q_next, best, torch.ones(4), double_q=False)

# proof
assert out.shape == (4,) and targets(q_next, best, torch.ones(4), double_q=True).shape == (4, 4)
