assert y[0] == 0 and z[0] == 0
assert torch.log1p(x)[0] > 0 and torch.expm1(x)[0] > 0
