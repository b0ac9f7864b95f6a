passes = [torch.stack([val_set[i] for i in range(4)]) for _ in range(2)]
assert not torch.equal(*passes)
