assert "dropout option adds dropout" in str(said[0].message)
assert torch.equal(first, second)
