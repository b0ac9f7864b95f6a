assert torch.equal(model.encoder[0].weight, before)
