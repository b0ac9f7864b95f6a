assert torch.equal(model.weight, first)
