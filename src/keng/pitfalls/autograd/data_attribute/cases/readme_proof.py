assert x.grad.tolist() == [1.0, 1.0, 1.0]
right = torch.ones(3, requires_grad=True)
right.exp().clamp(max=1.0).sum().backward()
assert right.grad.tolist() == [0.0, 0.0, 0.0]
