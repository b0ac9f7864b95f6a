sizes = model[0].weight.detach().abs().mean(dim=(1, 2, 3))
assert (sizes < sizes.max() / 1000).sum() == 3
