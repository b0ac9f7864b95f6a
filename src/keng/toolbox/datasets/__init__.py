"""A dataset gone through once: `check_dataset`, and what it is made of.

samples.py   what can be read of a dataset, loader or iterable, and the parts of a sample
values.py    numbers: range, mean and deviation by channel, NaN, constants, as a stream
labels.py    whole numbers that stand for classes
twins.py     digests that tell samples that are the same, or nearly
objects.py   Python objects that a worker would copy, or that grow
verdicts.py  what is said of all that
checking.py  one pass, and its report
dividing.py  the processes of a job that read one dataset together
"""
