r"""DeepSpeed, FSDP or accelerate is asked for what it does not do.

FSDP and DeepSpeed spread the weights, the gradients and the optimizer over the processes, and take over what the program would do by itself: they lay out the weights,
step, save in shards, and know one model with its optimizer. A batch that one process reads for all is cut into equal parts.

Cure: one of FSDP and DeepSpeed, under `torchrun` or `accelerate launch`; the optimizer in the program or in the file of DeepSpeed, not in both; no `device_map`; a batch size
that is a multiple of the processes where it is split.

Bad:

```python
import torch
from accelerate import Accelerator
from accelerate.utils.deepspeed import DummyOptim

model = torch.nn.Linear(4, 2)
accelerator = Accelerator(cpu=True)  # started without --use_deepspeed
model, optimizer = accelerator.prepare(model, DummyOptim(model.parameters()))
accelerator.backward(model(torch.ones(1, 4)).sum())
optimizer.step()
```

Good:

```python
import torch
from accelerate import Accelerator

model = torch.nn.Linear(4, 2)
accelerator = Accelerator(cpu=True)
model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1))
accelerator.backward(model(torch.ones(1, 4)).sum())
optimizer.step()
```

Message (transformers 4 and 5; `one of the two`):

```text
ValueError: Using --fsdp xxx together with --deepspeed is not possible, deactivate one of those flags.
```

Message (transformers 4 and 5; `torchrun`):

```text
ValueError: Using fsdp only works in distributed training.
```

Message (accelerate; `DummyOptim`):

```text
ValueError: You cannot specify an optimizer in the config file and in the code at the same time. Please remove the optimizer from the config file or create `accelerate.utils.DummyOptim` in the code.
```

Message (accelerate; `torch.optim`):

```text
ValueError: You cannot create a `DummyOptim` without specifying an optimizer in the config file.
```

Message (accelerate 1; `FSDP2`):

```text
ValueError: When using FSDP2, a model and optimizer must be passed together to `Accelerator.prepare()` as the optimizer needs to have its parameters modified after the model is converted.
```

Message (accelerate; `one model`):

```text
AssertionError: You can't use same `Accelerator()` instance with multiple models when using DeepSpeed
```

Message (transformers 4 and 5; `device_map`):

```text
ValueError: DeepSpeed Zero-3 is not compatible with `low_cpu_mem_usage=True` or with passing a `device_map`.
```

Message (accelerate; `gathers`):

```text
ValueError: Cannot get 16bit model weights because `stage3_gather_16bit_weights_on_model_save` in DeepSpeed config is False. To save the model weights in 16bit, set `stage3_gather_16bit_weights_on_model_save` to True in DeepSpeed config file.
```

Message (accelerate; `dispatch_batches=False`):

```text
RuntimeError: You can't use batches of different size with `dispatch_batches=True` or when using an `IterableDataset`.either pass `dispatch_batches=False` and have each process fetch its own batch  or pass `split_batches=True`.
```

Message (Lightning 2; `kind of device`):

```text
ValueError: You set `strategy=ddp` but strategies from the DDP family are not supported on the MPS accelerator. Either explicitly set `accelerator='cpu'` or change the strategy.
```

Message (Lightning 2; `a new Trainer`):

```text
NotImplementedError: Calling `trainer.fit()` twice on the same Trainer instance using a spawn-based strategy is not supported. You can work around this limitation by creating a new Trainer instance and passing the `fit(ckpt_path=...)` argument.
```

Message (transformers 4 and 5; `save_only_model=False`):

```text
ValueError: save_only_model option is not compatible with FSDP state dict type 'SHARDED_STATE_DICT'
```

Message (accelerate; `4 processes`):

```text
ValueError: To use a `DataLoader` in `split_batches` mode, the batch size (6) needs to be a round multiple of the number of processes (4).
```

Message (accelerate 0.20 to 1; `3 processes`):

```text
ValueError: Using `split_batches=True` requires that the batch size (8) to be a round multiple of the number of processes (3).
```

Message (accelerate and transformers; `print(model)`):

```text
ValueError: Could not find the transformer layer class LlamaDecoderLayer in the model.
```

Message (YOLOv4 and YOLOv5; `3 cards`):

```text
AssertionError: batch-size 64 not multiple of GPU count 3
```

Message (YOLO 8; `4 cards`):

```text
ValueError: 'batch=6' must be a multiple of GPU count 4. Try 'batch=4' or 'batch=8' instead.
```

Message (deepspeed 0; `zero_allow_untested_optimizer`):

```text
AssertionError: You are using an untested ZeRO Optimizer. Please add <"zero_allow_untested_optimizer": true> in the configuration file to use it.
```

Message (deepspeed 0; `DeepSpeedCPUAdam`):

```text
deepspeed.runtime.zero.utils.ZeRORuntimeException: You are using ZeRO-Offload with a client provided optimizer (<class 'torch.optim.adamw.AdamW'>) which in most cases will yield poor performance.
```

Message (accelerate; `the notebook`):

```text
ValueError: AcceleratorState has already been initialized and cannot be changed, restart your runtime completely and pass `mixed_precision='bf16'` to `Accelerator()`.
```

Message (accelerate; `anew`):

```text
AttributeError: `AcceleratorState` object has no attribute `distributed_type`. This happens if `AcceleratorState._reset_state()` was called and an `Accelerator` or `PartialState` was not reinitialized.
```

Message (accelerate; `before`):

```text
RuntimeError: You must initialize the accelerate state by calling either `PartialState()` or `Accelerator()` before using the logging utility.
```

Message (Lightning 2; `after`):

```text
ValueError: The optimizer does not seem to reference any FSDP parameters. HINT: Make sure to create the optimizer after setting up the model.
```

Message (accelerate; `zero_optimization`):

```text
ValueError: Please specify the ZeRO optimization config in the DeepSpeed config.
```

Message (YOLO 8; `number itself`):

```text
ValueError: AutoBatch with batch<1 not supported for Multi-GPU training, please specify a valid batch size multiple of GPU count 2, i.e. batch=16.
```

Message (accelerate 0.10 to 1.12; `no, fp16, bf16`):

```text
ValueError: Unknown mixed_precision mode: fp32. Choose between ['no', 'fp16', 'bf16', 'fp8']
```

Message (DeepSpeed; `optimizer`):

```text
AssertionError: zero stage 2 requires an optimizer
```

Message (accelerate with DeepSpeed; `optimizer`):

```text
AttributeError: 'DeepSpeedZeRoOffload' object has no attribute 'backward'
```

Message (DeepSpeed 0.4 to 0.16, ZeRO-1 and ZeRO-2; `engine.backward(loss)`):

```text
AttributeError: 'DeepSpeedZeroOptimizer' object has no attribute 'ipg_index'
```

Message (DeepSpeed 0.4; `engine.backward(loss)`):

```text
  File "/env/lib/python3.8/site-packages/timm/utils/cuda.py", line 43, in __call__
    self._scaler.scale(loss).backward(create_graph=create_graph)
  File "/env/lib/python3.8/site-packages/deepspeed/runtime/zero/stage2.py", line 724, in reduce_independent_p_g_buckets_and_remove_grads
    new_grad_tensor = self.ipg_buffer[self.ipg_index].narrow(
AttributeError: 'FP16_DeepSpeedZeroOptimizer' object has no attribute 'ipg_index'
```

Message (transformers with DeepSpeed; `stage 3`):

```text
ValueError: ZeRO inference only makes sense with ZeRO Stage 3 - please adjust your config
```

Message (DeepSpeed; `no_sync`):

```text
AssertionError: no_sync context manager is incompatible with gradient partitioning logic of ZeRO stage 3
```

Message (DeepSpeed; `after the block`):

```text
AssertionError: It is illegal to call Engine.step() inside no_sync context manager
```

Message (accelerate 1; `holds both`):

```text
ValueError: Only one model is supported when using FSDP2
```

Message (accelerate; `before`):

```text
ValueError: The `PartialState` or `Accelerator` must be initialized before calling this function.
```

Message (accelerate; `before`):

```text
ValueError: Please make sure to properly initialize your accelerator via `accelerator = Accelerator()` before using any functionality from the `accelerate` library.
```

Message (accelerate 1; `8 processes`):

```text
ValueError: ParallelismConfig total_size (8) does not match num_processes (4). Please adjust dp_replicate_size/ dp_shard_size/tp_size/cp_size/sp_size.
```

Message (accelerate; `rank 0`):

```text
ValueError: When using `--fsdp_cpu_ram_efficient_loading` set `--fsdp_sync_module_states` to `True`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import accelerate")

PAST_THE_ENGINE = (
    "backward was called on the loss itself, past the engine of DeepSpeed: engine.backward(loss) and engine.step(), "
    "accelerator.backward(loss) under accelerate, and no GradScaler or other scaler around it"
)
CURES = {
    "AcceleratorState has already been initialized and cannot be changed": "the first Accelerator or TrainingArguments of this process has settled it: start the notebook anew, and say it there",
    "ZeRO-Offload with a client provided optimizer": "a step on the CPU wants DeepSpeed's own Adam: DeepSpeedCPUAdam, or zero_force_ds_cpu_optimizer false",
    "You are using an untested ZeRO Optimizer": "DeepSpeed has not tried this optimizer under ZeRO: zero_allow_untested_optimizer true in its file, or Adam",
    "Could not find the transformer layer class": "the layer that FSDP is to wrap is none of this model's: fsdp_transformer_layer_cls_to_wrap is a class name out of print(model)",
    "Using --fsdp xxx together with --deepspeed is not possible": "FSDP and DeepSpeed both shard the model: one of the two",
    "Using fsdp only works in distributed training": "FSDP shards over processes, and the program was started as one: torchrun, or accelerate launch",
    "in the config file and in the code at the same time": "the file of DeepSpeed and the program both make it: leave it out of the file, or take DummyOptim and DummyScheduler in the program",
    "`DummyOptim` without specifying an optimizer in the config file": "a DummyOptim stands for the optimizer in the file of DeepSpeed, and there is none: one of torch.optim, or one in the file",
    "'DummyOptim' object has no attribute 'step'": "a DummyOptim stands for the optimizer in the file of DeepSpeed, and there is none: one of torch.optim, or one in the file",
    "a model and optimizer must be passed together to `Accelerator.prepare()`": "FSDP2 exchanges the parameters, so the optimizer goes with its model: accelerator.prepare(model, optimizer)",
    "FSDP2 preparation should be done via `accelerate.prepare()`": "FSDP2 exchanges the parameters, so the optimizer goes with its model: accelerator.prepare(model, optimizer)",
    "instance with multiple models when using DeepSpeed": "an Accelerator with DeepSpeed takes one model: one module that holds both, or an Accelerator for each",
    "Zero-3 is not compatible with": "ZeRO-3 lays out the weights by itself: no device_map, no low_cpu_mem_usage",
    "`stage3_gather_16bit_weights_on_model_save` in DeepSpeed config is False": "ZeRO-3 keeps its shards unless it gathers them to save: stage3_gather_16bit_weights_on_model_save true in its file",
    "batches of different size with `dispatch_batches=True`": "one process reads for all and cuts the batch, so all batches are of one size: pad in the collate function, or dispatch_batches=False",
    "strategies from the DDP family are not supported on the MPS": "this strategy is not for this kind of device: ddp for the CPU, one device on a Mac, fsdp and deepspeed on cards alone",
    "requires a GPU accelerator, but received `accelerator=": "this strategy is not for this kind of device: ddp for the CPU, one device on a Mac, fsdp and deepspeed on cards alone",
    "FSDP is only available on GPU": "this strategy is not for this kind of device: ddp for the CPU, one device on a Mac, fsdp and deepspeed on cards alone",
    "twice on the same Trainer instance using a spawn-based strategy": "what was spawned is gone after fit: a new Trainer for the second, or ddp instead of ddp_spawn",
    "option is not compatible with FSDP state dict type": "sharded weights are saved with the optimizer or not loaded again: save_only_model=False, or the full state dict",
    "can't be used with `save_only_model`": "sharded weights are saved with the optimizer or not loaded again: save_only_model=False, or the full state dict",
    "._reset_state()` was called and an `Accelerator`": "accelerate's state was cleared after the Accelerator or TrainingArguments had been made: make one of them anew, the notebook from its start",
    "must initialize the accelerate state by calling either `PartialState()`": "accelerate's get_logger asks which process this is: make the Accelerator before anything is logged",
    "does not seem to reference any FSDP parameters": "FSDP has exchanged the parameters, and the optimizer holds the old ones: make it after the model is set up, in configure_optimizers",
    "specify the ZeRO optimization config in the DeepSpeed config": "DeepSpeed's file has no zero_optimization: add {'stage': 2}, or 0 to go without",
    "AutoBatch with batch<1 not supported for Multi-GPU": "the batch size is found by trying on one card alone: on several give the number itself, a multiple of the cards",
    "Unknown mixed_precision mode": 'mixed_precision is one of no, fp16, bf16 and fp8: "no" for float32',
    " requires an optimizer": 'DeepSpeed is given no optimizer, and this stage of ZeRO shards one: "optimizer" in its file, or optimizer= to initialize; stage 3 or 0 for evaluation alone',
    "'DeepSpeedZeRoOffload' object has no attribute 'backward'": "DeepSpeed was started without an optimizer, for inference alone: pass the optimizer with the model to prepare() or initialize()",
    "ZeroOptimizer' object has no attribute 'ipg_": PAST_THE_ENGINE,
    "ZeRO inference only makes sense with ZeRO Stage 3": "evaluate or predict alone gives DeepSpeed no optimizer, and ZeRO-1 and ZeRO-2 share out nothing else: its file of stage 3, or none for that",
    "no_sync context manager is incompatible with": "ZeRO-2 and ZeRO-3 hand each gradient on in its backward, so none is held back: no no_sync or accumulate around it, gradient_accumulation_steps in DeepSpeed's file; where a Trainer does so pip install -U transformers accelerate",
    "illegal to call Engine.step() inside no_sync": "within no_sync no rank has the gradients of the others: step() after the block",
    "Only one model is supported when using FSDP2": "prepare() is given several models, and FSDP2 takes one: one module that holds both, or an Accelerator for each",
    "`PartialState` or `Accelerator` must be initialized before": "a decorator or a question of accelerate comes before it knows the processes: make the Accelerator() before, above the functions that it decorates",
    "make sure to properly initialize your accelerator via": "the state of accelerate is asked for before there is one: make the Accelerator() or the TrainingArguments before, once in each process",
    "`--fsdp_cpu_ram_efficient_loading` set": "rank 0 alone loads the weights, and the others get them only with fsdp_sync_module_states: true in accelerate's file",
}

pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"(?:`split_batches`? mode|`split_batches=True`).{0,40}? the batch size \((?P<batch>\d+)\).{0,40}? multiple of the number of processes "
    r"\((?P<ranks>\d+)\)",
    odds=0.97,
)
def batch_that_cannot_be_split(failure: Failure) -> Hits:
    batch, ranks = failure.groups["batch"], failure.groups["ranks"]
    yield failure.hit(
        f"a batch of {batch} is to be split over {ranks} processes: a multiple of {ranks}, or split_batches=False"
    )


@pitfall.explains(
    r"batch(?:-size |=)(?P<batch>\d+)'? (?:not|must be)(?: a)? multiple of GPU count (?P<cards>\d+)",
    odds=0.97,
)
def batch_that_cannot_be_shared(failure: Failure) -> Hits:
    batch, cards = failure.groups["batch"], failure.groups["cards"]
    yield failure.hit(
        f"a batch of {batch} is for all {cards} cards together: a multiple of {cards}"
    )


@pitfall.explains(
    r"ParallelismConfig total_size \((?P<wanted>\d+)\) does not match num_processes \((?P<there>\d+)\)",
    odds=0.97,
)
def product_of_the_parts(failure: Failure) -> Hits:
    wanted, there = failure.groups["wanted"], failure.groups["there"]
    yield failure.hit(
        f"the sizes in ParallelismConfig multiply to {wanted} processes and {there} run: their product has to be {there}"
    )
