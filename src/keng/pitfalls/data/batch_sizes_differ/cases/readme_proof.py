assert image.shape == (1, 4) and len(y) == 8
