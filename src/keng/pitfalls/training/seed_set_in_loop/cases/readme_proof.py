assert all(torch.equal(one, other) for one, other in zip(seen[:4], seen[4:]))
