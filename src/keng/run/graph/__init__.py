"""Autograd graphs of the running program: nodes, who holds them, where a value stopped being finite."""
