assert model.weight.requires_grad
