assert optimizer.param_groups[0]["lr"] < optimizer.param_groups[1]["lr"] == 1e-3
