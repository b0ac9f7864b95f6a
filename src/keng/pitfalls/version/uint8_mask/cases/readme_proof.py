assert others.tolist() == [0, 1, 2, 3]
