assert epoch < 20 and min(losses) < best - 0.5
