assert backbone[1].running_mean.abs().max() > 0
