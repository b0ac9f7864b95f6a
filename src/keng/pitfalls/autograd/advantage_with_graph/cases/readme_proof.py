(gradient,) = torch.autograd.grad(policy_loss, critic.weight)
assert gradient.abs().sum() > 0
