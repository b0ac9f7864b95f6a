assert torch.equal(target[0].weight, before)
