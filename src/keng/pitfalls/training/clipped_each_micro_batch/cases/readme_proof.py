assert len(norms) == 4
