assert accuracy > 0.7
