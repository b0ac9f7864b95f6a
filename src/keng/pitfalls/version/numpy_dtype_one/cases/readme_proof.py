assert pixel["red"].shape == (1,)
