assert not torch.allclose(ema.shadow.weight, correct.shadow.weight, atol=1e-3)
