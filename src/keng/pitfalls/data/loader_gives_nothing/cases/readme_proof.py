assert steps == 0
