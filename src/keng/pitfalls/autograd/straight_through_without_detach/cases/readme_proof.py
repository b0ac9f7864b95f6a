assert not weight.grad.any()
