assert norm == 0 and net.weight.grad.norm() > 1
