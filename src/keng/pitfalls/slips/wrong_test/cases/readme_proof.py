assert model.weight.grad is not None
