assert not torch.equal(model.weight, was)
