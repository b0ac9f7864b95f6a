assert x[0, 0].tolist() == [0, 0, 255]
