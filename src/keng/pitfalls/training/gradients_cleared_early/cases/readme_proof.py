assert torch.equal(model.weight, before)
