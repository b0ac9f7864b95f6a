assert not y.requires_grad
assert "sourceTensor" in str(said[0].message)
