r"""A tensor in a queue belongs to a process that has ended.

Between processes torch sends no numbers: it sends the name of the shared memory, and the receiver asks the sender for it when it takes the tensor out of the queue. A sender
that has ended by then, of itself or after an error, cannot answer.

Cure: the sender waits until the others have taken what it sent, by an event or a `join` after the queue is emptied; or it sends numpy arrays, which are copied into the queue. Where the sender broke, its error comes first.

Bad:

```python
import torch
import torch.multiprocessing as mp


def send(queue):
    queue.put(torch.ones(3))


queue = mp.Queue()
sender = mp.get_context("fork").Process(target=send, args=(queue,))
sender.start()
sender.join()
queue.get()  # seen: nobody answers for the tensor
```

Good:

```python
import torch
import torch.multiprocessing as mp


def send(queue, taken):
    queue.put(torch.ones(3))
    taken.wait()


queue, taken = mp.Queue(), mp.Event()
sender = mp.get_context("fork").Process(target=send, args=(queue, taken))
sender.start()
queue.get()
taken.set()
sender.join()
```

Message (torch 0.4 to 2.13; `handed over`):

```text
Traceback (most recent call last):
  File "/usr/lib/python3.8/multiprocessing/queues.py", line 113, in get
    return _ForkingPickler.loads(res)
  File "/env/lib/python3.8/site-packages/torch/multiprocessing/reductions.py", line 282, in rebuild_storage_fd
    fd = df.detach()
  File "/usr/lib/python3.8/multiprocessing/resource_sharer.py", line 57, in detach
    with _resource_sharer.get_connection(self._id) as conn:
  File "/usr/lib/python3.8/multiprocessing/connection.py", line 630, in SocketClient
    s.connect(address)
FileNotFoundError: [Errno 2] No such file or directory
```

Message (torch 0.4 to 2.13; `handed over`):

```text
Traceback (most recent call last):
  File "/usr/lib/python3.8/multiprocessing/queues.py", line 113, in get
    return _ForkingPickler.loads(res)
  File "/env/lib/python3.8/site-packages/torch/multiprocessing/reductions.py", line 289, in rebuild_storage_fd
    fd = df.detach()
  File "/usr/lib/python3.8/multiprocessing/reduction.py", line 159, in recvfds
    raise EOFError
EOFError
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Connection refused$|No such file or directory$|Connection reset by peer$|^EOFError$",
    odds=0.95,
)
def nobody_answers(failure: Failure) -> Hits:
    if failure.passed_through("torch/multiprocessing/reductions.py"):
        yield failure.hit(
            "the process that sent this tensor has ended, and its memory is to be handed over by it: let it wait until all is taken, or see its "
            "error first"
        )
