"""The ranks of one job: each keeps a journal and tells rank 0, which compares and speaks for all.

joint.py      one rank: joins when the job does, looks at itself now and then in a thread of its own
mailbox.py    letters to rank 0, through a client of the store that the job has already
journal.py    the collectives made, from torch's own flight recorder; wrapped.py where that has none
teller.py     what a rank tells of its models, batches and files after a step; digests.py
board.py      rank 0: what the letters say, side by side; partings.py where the ranks part
standing.py   where a rank is when nothing moves, and what became of one that is gone
spawned.py    processes that torch.multiprocessing.spawn starts

Nothing here may be noticed by the job: no collective is made, no random number drawn, and where the
store is gone, or this fails, the ranks go on by themselves.
"""
