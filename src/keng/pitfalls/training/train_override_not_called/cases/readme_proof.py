assert not before.equal(model[0].stem.weight)
