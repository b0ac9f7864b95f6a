assert model.teacher.training
assert not torch.equal(model.teacher(x), model.teacher(x))
