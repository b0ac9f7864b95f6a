"""Reads, checks, compares and repairs checkpoint files without torch and without running anything in them.

`typing` is imported for the type checker alone here and in what `keng ckpt show` imports: it takes a tenth
of the start-up time, and a NamedTuple whose annotations are evaluated takes another.
"""
