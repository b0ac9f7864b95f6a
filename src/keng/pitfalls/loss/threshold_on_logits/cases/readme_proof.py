right = ((scores.sigmoid() > 0.5) == y.bool()).sum()
assert hits != right
