"""The fastest DataLoader for a dataset: `tune_loader`, and what it is made of.

settings.py   workers, prefetching, pinning, sharing: the arguments of a loader
profiling.py  where the time of one batch goes, in one process
measuring.py  how fast a loader with some setting is
tuning.py     which settings are tried, and which is reported
"""
