assert torch.allclose(p.sum(0), torch.ones(5, 3))
assert not torch.allclose(p.sum(-1), torch.ones(2, 5))
