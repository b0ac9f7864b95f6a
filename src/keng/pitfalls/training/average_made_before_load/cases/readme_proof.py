apart = (average.shadow["weight"] - model.weight).norm()
assert apart > 0.5 * (trained.weight - model.weight).norm()
