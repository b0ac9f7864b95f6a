"""The ranks of one job: each keeps a journal and tells rank 0, which compares and speaks for all.

on_join.py     one rank, in its program's thread: joins when the job does, reports after a step, leaves
watch.py       the thread that looks at this rank now and then
monitor.py     what it does at each look; process.py: what it asks of its process
messages.py    what a rank writes to rank 0; store.py brings it, through the store that the job has
journal.py     the collectives made, from torch's own flight recorder; wrapped_collectives.py where that
               has none; point_to_point.py what goes from one rank to another
section.py     a part of what a rank reports: models.py, manual_averaging.py, data_seen.py,
               checkpoint_files.py, gpus.py; parallel_models.py, digests.py
sections.py    many ranks: calls compared by digests; summaries.py: models compared by digests, and which
               ranks report a step
comparison.py  rank 0: what the letters say, side by side; divergence.py where the ranks part
pace.py        how long its steps take and what it waits for; groups.py sums that up by groups of ranks,
               slowness.py says which rank the others wait for
position.py    where a rank is when nothing moves, and what became of one that is gone
spawn.py       processes that torch.multiprocessing.spawn starts

Nothing here may be noticed by the job: no collective is made, no random number drawn, and where the
store is gone, or this fails, the ranks continue by themselves.
"""
