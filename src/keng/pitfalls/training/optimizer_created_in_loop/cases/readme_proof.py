assert all(abs(step - 0.01) < 1e-5 for step in moved)
