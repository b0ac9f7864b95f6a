assert (weights[0, 0, 4, :3] > 0).all() and not mask[0, 0, 3].any()
assert mask[0, 0, 2, 2] and (weights[0, 0, 4, 3:] > 0).all()
