assert torch.equal(before, net.head.weight)
