(gradient,) = torch.autograd.grad(reconstruction, encoder.weight, allow_unused=True)
assert gradient is None
