assert (before < 0).any() and not (features < 0).any()
