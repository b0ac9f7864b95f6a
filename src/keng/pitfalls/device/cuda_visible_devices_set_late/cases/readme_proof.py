assert x.is_cuda  # where there is but one card, too: the first
