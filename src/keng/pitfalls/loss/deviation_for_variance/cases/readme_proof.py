assert sigma.mean() < 0.05  # the noise is 0.1
