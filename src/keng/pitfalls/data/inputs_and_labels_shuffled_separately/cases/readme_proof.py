assert (y == (x > 49)).float().mean() < 0.7
