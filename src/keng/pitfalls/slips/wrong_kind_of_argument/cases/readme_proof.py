assert w.grad.tolist() == [12.0, 12.0, 12.0]
