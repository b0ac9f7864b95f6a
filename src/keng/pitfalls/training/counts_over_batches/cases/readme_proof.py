assert accuracy > 1
