assert x.max() > 1000
