"""The ranks of one job: each keeps a journal and tells rank 0, which compares and speaks for all.

joint.py      one rank, in its program's thread: joins when the job does, tells after a step, leaves
member.py     the same rank in a thread of its own, which looks at it now and then
letters.py    what a rank writes to rank 0; mailbox.py brings it, through the store that the job has
journal.py    the collectives made, from torch's own flight recorder; wrapped.py where that has none;
              messages.py what goes from one rank to another
part.py       a part of what a rank tells: models.py, byhand.py, feeds.py, files.py, cards.py; parallel.py,
              digests.py
board.py      rank 0: what the letters say, side by side; partings.py where the ranks part
standing.py   where a rank is when nothing moves, and what became of one that is gone
spawned.py    processes that torch.multiprocessing.spawn starts

Nothing here may be noticed by the job: no collective is made, no random number drawn, and where the
store is gone, or this fails, the ranks continue by themselves.
"""
