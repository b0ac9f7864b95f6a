assert (y == 0).any()
