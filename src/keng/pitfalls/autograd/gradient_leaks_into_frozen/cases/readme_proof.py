assert leaked is not None and leaked.abs().sum() > 0
