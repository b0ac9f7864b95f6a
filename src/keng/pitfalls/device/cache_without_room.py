r"""A server of language models finds no room for keys and values.

vLLM takes a share of the card (`gpu_memory_utilization`, 0.9), loads the weights into it, measures one run, and gives the rest to the cache of keys
and values. Where other processes hold memory, the weights nearly fill the share, or the model allows a very long context, the rest does
not hold one sequence.

Cure: a lower `max_model_len`; a higher `gpu_memory_utilization` on a card that is free, a lower one where others work on it; several cards
(`tensor_parallel_size`), quantized weights, or a smaller model.

Bad:

```python
from vllm import LLM

llm = LLM("meta-llama/Llama-3.1-8B", max_model_len=131072)
```

Good:

```python
from vllm import LLM

llm = LLM("meta-llama/Llama-3.1-8B", max_model_len=8192)
```

Message (vLLM; `gpu_memory_utilization`):

```text
ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.
```

Message (vLLM; `32768 tokens`):

```text
ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (20000). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.
```

Message (vLLM 0.9; `2.12 GiB`):

```text
ValueError: To serve at least one request with the models's max seq len (32768), (4.00 GiB KV cache is needed, which is larger than the available KV cache memory (2.12 GiB).
```

Message (vLLM 0.9; `10.2 of 15.6 GiB`):

```text
ValueError: Free memory on device (10.2/15.6 GiB) on startup is less than desired GPU memory utilization (0.9, 14.0 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.
```

Message (vLLM 0; `meanwhile`):

```text
AssertionError: Error in memory profiling. Initial free memory 8052342784, current free memory 9033023488. This happens when the GPU memory was not properly cleaned up before initializing the vLLM instance.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="vLLM and a card")


@pitfall.explains(
    r"No available memory for the cache blocks",
    r"max seq len \((?P<wants>\d+)\) is larger than the maximum number of tokens that can be stored in KV cache \((?P<room>\d+)\)",
    r"max seq len \((?P<wants>\d+)\), \(?[\d.]+ GiB KV cache is needed, which is larger than the available KV cache memory "
    r"\((?P<room>[\d.]+ GiB)\)",
    odds=0.96,
)
def beside_the_weights(failure: Failure) -> Hits:
    wants, room = failure.groups.get("wants"), failure.groups.get("room")
    says = "the weights leave no memory for keys and values"
    if wants and room:
        says = f"keys and values of {wants} tokens are wanted, and there is room for {room}"
    yield failure.hit(
        f"{says}: a lower max_model_len, or a higher gpu_memory_utilization; else fewer bits, or more cards (tensor_parallel_size)"
    )


@pitfall.explains(
    r"Free memory on device \S{0,10} ?\((?P<free>[\d.]+)/(?P<total>[\d.]+) GiB\) on startup is less than desired GPU memory "
    r"utilization \((?P<part>[\d.]+)",
    odds=0.96,
)
def taken_by_others(failure: Failure) -> Hits:
    free, total, part = (failure.groups[key] for key in ("free", "total", "part"))
    yield failure.hit(
        f"{free} of {total} GiB are free, and a share of {part} is asked for: see `nvidia-smi` for who holds the rest, or a "
        "lower gpu_memory_utilization"
    )


@pitfall.explains(r"Error in memory profiling\.? ?(?:Initial|This happens)", odds=0.95)
def freed_meanwhile(failure: Failure) -> Hits:
    yield failure.hit(
        "another process gave memory of the card back meanwhile, so what is free cannot be told: start when it is quiet, one engine at a time"
    )
