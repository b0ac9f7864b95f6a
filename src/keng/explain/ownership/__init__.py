"""Whose error it is: PyTorch, a library built on it, another library, or the user's own code."""
