first = [p.clone() for p in model.parameters()]
output = model(torch.randn(16, 8))
left = torch.autograd.grad(output["aux_loss"], model.router.weight)[0]
assert left.abs().sum() > 0
