"""Facts that several pitfalls need, each with the recorder that provides it.

What serves a single pitfall is in its run.py; what serves several of one group, in the group's
`_shared_run.py`.
"""
