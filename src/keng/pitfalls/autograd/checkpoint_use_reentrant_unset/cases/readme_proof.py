assert not y.requires_grad
