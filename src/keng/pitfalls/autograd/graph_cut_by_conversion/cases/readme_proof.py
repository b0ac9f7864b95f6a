assert model.scale.grad is None and model.layer.weight.grad is not None
