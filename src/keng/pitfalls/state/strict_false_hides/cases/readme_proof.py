assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))
