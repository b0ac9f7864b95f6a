assert not torch.allclose(told.exp().sum(1), torch.ones(16), atol=0.1)
