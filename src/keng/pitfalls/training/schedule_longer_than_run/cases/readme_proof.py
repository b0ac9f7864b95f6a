assert schedule.get_last_lr()[0] > 0.05
