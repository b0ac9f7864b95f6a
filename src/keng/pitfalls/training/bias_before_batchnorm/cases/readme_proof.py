assert net[0].bias.grad.abs().max() < 1e-4
assert net[0].weight.grad.abs().max() > 1e-2
