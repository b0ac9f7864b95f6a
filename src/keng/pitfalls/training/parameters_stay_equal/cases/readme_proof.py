first, second = ensemble[0][0].weight, ensemble[1][0].weight
assert torch.equal(first, second)
