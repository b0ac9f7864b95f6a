assert y.requires_grad
