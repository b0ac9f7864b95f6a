assert attention.att_r.grad is None
