assert len(list(model.parameters())) == 2
assert not torch.equal(model(x), model(x))
