assert torch.equal(block(x), block(x))
