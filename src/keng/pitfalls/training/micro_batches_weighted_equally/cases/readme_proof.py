assert not torch.allclose(accumulated, whole, atol=1e-3)
