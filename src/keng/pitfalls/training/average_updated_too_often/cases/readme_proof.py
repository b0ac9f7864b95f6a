before = ema.shadow.weight.clone()
ema.update(model)
assert not ema.shadow.weight.equal(before) and batch % 4 == 3
