assert heads["digit"].weight.grad is None and heads["parity"].weight.grad is not None
