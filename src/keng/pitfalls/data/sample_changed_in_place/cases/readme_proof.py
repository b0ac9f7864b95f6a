assert first.mean().abs() < 0.1 and second.mean() < -1
