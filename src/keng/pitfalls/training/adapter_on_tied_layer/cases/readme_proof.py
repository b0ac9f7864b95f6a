assert not torch.allclose(before, after, atol=1e-3)
