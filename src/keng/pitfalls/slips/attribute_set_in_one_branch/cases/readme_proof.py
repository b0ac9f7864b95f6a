assert not hasattr(Weighted(2, weights=[0.5, 2.0]), "weights")
