assert prediction.shape == () and y.shape == (1,)
