one, _ = lstm(x)
other, _ = lstm(x, state)
assert not torch.allclose(one[:, 0], other[:, 0])
