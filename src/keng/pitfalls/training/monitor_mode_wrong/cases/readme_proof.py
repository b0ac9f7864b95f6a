assert optimizer.param_groups[0]["lr"] < 0.1
