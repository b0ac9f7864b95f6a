r"""A warning tells of something that changes no result.

PyTorch says when a faster way is not taken or a part is new: a card has too few processors for one way of tuning, cuDNN's first plan failed and the next was
taken, a transformer layer does not use nested tensors, TF32 could be allowed. The numbers are right; at most it is slower.

Cure: nothing; `warnings.filterwarnings("ignore", message="...")` with its first words silences this one alone; `torch.set_float32_matmul_precision("high")`
where the speed of TF32 is wanted and its shorter mantissa is no loss.

Sources: https://github.com/pytorch/pytorch/issues/183387

Bad (a layer that does not put the batch first):

```python
import warnings

from torch import nn

warnings.simplefilter("error")
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 1)  # seen: `nested tensors`
```

Good:

```python
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True), 1)
```

Message (torch 2.0 to 2.13; `max_autotune`):

```text
W0101 12:00:00.000000 1 torch/_inductor/utils.py:1137] [0/0] Not enough SMs to use max_autotune_gemm mode
```

Message (torch 2.0 to 2.13; `TF32`):

```text
UserWarning: TensorFloat32 tensor cores for float32 matrix multiplication available but not enabled. Consider setting `torch.set_float32_matmul_precision('high')` for better performance.
```

Message (torch 2.3; `next plan`):

```text
UserWarning: Plan failed with a cudnnException: CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: cudnnFinalizeDescriptor Failed cudnn_status: CUDNN_STATUS_NOT_SUPPORTED (Triggered internally at ../aten/src/ATen/native/cudnn/Conv_v8.cpp:919.)
```

Message (torch 1.8 to 2.13; `may change`):

```text
UserWarning: Lazy modules are a new feature under heavy development so changes to the API or functionality can happen at any moment.
```

Message (torch 1.7 to 2.13; `leave it out`):

```text
[W reducer.cpp:1158] Warning: find_unused_parameters=True was specified in DDP constructor, but did not find any unused parameters in the forward pass. This flag results in an extra traversal of the autograd graph every iteration,  which can adversely affect performance.
```

Message (torch 2.4 to 2.13; `destroy_process_group`):

```text
[rank0]:[W ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL. On normal program exit, the application should call destroy_process_group to ensure that any pending NCCL operations have finished in this process.
```

Message (torch 2.0 to 2.13; `complex`):

```text
UserWarning: Torchinductor does not support code generation for complex operators. Performance may be worse than eager.
```

Message (torch 2.13; `pin_memory=torch.cuda.is_available()`):

```text
UserWarning: 'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.
```

Message (an older torch; `optimizer`):

```text
UserWarning: Please also save or load the state of the optimizer when saving or loading the scheduler.
```

Message (torch 2.2 to 2.7, of NCCL):

```text
[rank3]:[W1018 10:11:09.621000 ProcessGroupNCCL.cpp:1250] [PG 0 Rank 3]  using GPU 3 to perform barrier as devices used by this process are currently unknown. This can potentially cause a hang if this rank to GPU mapping is incorrect.
```

Message (torch 1.1 to 2.13, under mixed precision):

```text
UserWarning: Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`.
```

Message (torch 1.5 to 1.8):

```text
UserWarning: Mixed memory format inputs detected while calling the operator. The operator will output channels_last tensor even if some of the inputs are not in channels_last format.
```

Message (torch 1.11 to 2.13):

```text
[W socket.cpp:426] [c10d] The server socket cannot be initialized on [::]:29500 (errno: 97 - Address family not supported by protocol).
```

Message (torch 0.2 and 0.3):

```text
UserWarning: src is not broadcastable to dst, but they have the same number of elements.  Falling back to deprecated pointwise behavior.
```

Message (torch 2.0 to 2.13, of a backward that begins with a product; `told once`):

```text
UserWarning: Attempting to run cuBLAS, but there was no current CUDA context! Attempting to set the primary context... (Triggered internally at ../aten/src/ATen/cuda/CublasHandlePool.cpp:181.)
```

Message (torch 1.1 to 2.13, of torchrun; `OMP_NUM_THREADS`):

```text
W1122 10:00:00.000000 1 torch/distributed/run.py:803] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed.
```

Message (torch 2.13; `set_device`):

```text
UserWarning: barrier(): using the device under current context. You can specify `device_id` in `init_process_group` to mute this warning.
```

Message (torch 0.2 to 2.13; `change the file`):

```text
UserWarning: Couldn't retrieve source code for container of type Net. It won't be checked for correctness upon loading.
```

Message (torch 1.8 to 2.13; `no size`):

```text
UserWarning: Initializing zero-element tensors is a no-op
```

Message (torch 1.13 to 2.13; `one process`):

```text
UserWarning: FSDP is switching to use `NO_SHARD` instead of ShardingStrategy.FULL_SHARD since the world size is 1.
```

Message (torch 2.1 to 2.13; `one process`):

```text
UserWarning: torch.distributed is disabled, unavailable or uninitialized, assuming the intent is to save in a single process.
```

Message (torch 1.13 to 2.13; `device_id=`):

```text
UserWarning: The passed-in `module` is on CPU and will thus have FSDP's sharding initialization run on CPU, which may be slower than on GPU.
```

Message (torch 2.0 to 2.13; `in float32`):

```text
UserWarning: Both mixed precision and an auto_wrap_policy were specified to FSDP, where the wrapped module has submodules of type:
```

Message (torch 1.11 to 2.13; `warmup=1`):

```text
UserWarning: Profiler won't be using warmup, this can skew profiler results
```

Message (torch 1.12 to 2.13; `capturable=False`):

```text
UserWarning: This instance was constructed with capturable=True or some of all the param_groups came with capturable=True, but step() is running without CUDA graph capture.
```

Message (torch 2.13; `TorchScript`):

```text
DeprecationWarning: `torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.
```

Message (torch 2.8 to 2.13; `torchao`):

```text
DeprecationWarning: torch.ao.quantization is deprecated and will be removed in 2.10.
```

Message (torch 2.9; `newer name`):

```text
[W1018 01:28:55.000000000 AllocatorConfig.cpp:28] Warning: PYTORCH_CUDA_ALLOC_CONF is deprecated, use PYTORCH_ALLOC_CONF instead (function operator ())
```

Message (torch 2.9 to 2.13; `another stream`):

```text
UserWarning: The AccumulateGrad node's stream does not match the stream of the node that produced the incoming gradient. This may incur unnecessary synchronization and break CUDA graph capture if the AccumulateGrad node's stream is the default stream.
```

Message (torch 1.13 to 2.13; `masked tensors`):

```text
UserWarning: The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. Please open a Github issue for features requests and see our documentation on the torch.masked module for further information about the project.
```

Message (torch 1.9 to 2.13; `CSR`):

```text
UserWarning: Sparse CSR tensor support is in beta state. If you miss a functionality in the sparse tensor support, please submit a feature request to https://github.com/pytorch/pytorch/issues. (Triggered internally at /pytorch/aten/src/ATen/SparseCsrTensorImpl.cpp:55.)
```

Message (torch 2.13; `check_sparse_tensor_invariants`):

```text
UserWarning: Sparse invariant checks are implicitly disabled. Memory errors (e.g. SEGFAULT) will occur when operating on a sparse tensor which violates the invariants, but checks incur performance overhead. To silence this warning, explicitly opt in or out.
```

Message (torch 2.1 to 2.13; `2:4`):

```text
UserWarning: The PyTorch API of SparseSemiStructuredTensor is in prototype stage and will change in the near future. Please open a Github issue for features requests and see our documentation on the torch.sparse module for further information about the project.
```

Message (torch 2.13, where an extension is built; `other second numbers`):

```text
UserWarning: The detected CUDA version (12.4) has a minor version mismatch with the version that was used to compile PyTorch (12.1). Most likely this shouldn't be a problem.
```

Message (torch 2.13, on Windows; `gloo`):

```text
UserWarning: PyTorch is not compiled with NCCL support
```

Message (torch 2.9 to 2.13; `dynamo=True`):

```text
DeprecationWarning: You are using the legacy TorchScript-based ONNX export. Starting in PyTorch 2.9, the new torch.export-based ONNX exporter has become the default.
```

Message (torch 2.10 to 2.13; `older function`):

```text
FutureWarning: `isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec) and treespec.is_leaf()` instead.
```

Message (torch 1.7 to 1.10, under DataParallel; `lists of parameters`):

```text
UserWarning: Setting attributes on ParameterList is not supported.
```

Message (torch 1.12 to 2.10; `trust_repo`):

```text
UserWarning: You are about to download and run code from an untrusted repository. In a future release, this won't be allowed.
```

Message (torch 1.7 to 2.13, of torch.hub; `archive`):

```text
UserWarning: Falling back to the old format < 1.6. This support will be deprecated in favor of default zipfile format introduced in 1.6. Please redo torch.save() to save it in the new zipfile format.
```

Message (torch 1.6 to 2.13; `NNPACK`):

```text
[W NNPACK.cpp:79] Could not initialize NNPACK! Reason: Unsupported hardware.
```

Message (torch 1.5 to 1.7; `device_ids=[local_rank]`):

```text
UserWarning: Single-Process Multi-GPU is not the recommended mode for DDP. In this mode, each DDP instance operates on multiple devices and creates multiple module replicas within one process. The overhead of scatter/gather and GIL contention in every forward pass can slow down training. Please consider using one DDP instance per device or per module replica by explicitly setting device_ids or CUDA_VISIBLE_DEVICES.
```

Message (torch 2.0 to 2.13, in an app of Streamlit; `Streamlit`):

```text
RuntimeError: Tried to instantiate class '__path__._path', but it does not exist! Ensure that it is registered via torch::class_
```

Message (torch 2.13, as a process ends that was forked beside a loader's workers; `the run goes on`):

```text
Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f4709179e40>
Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1704, in __del__
    self._shutdown_workers()
  File "/env/lib/python3.11/site-packages/torch/utils/data/dataloader.py", line 1673, in _shutdown_workers
    if w.is_alive():
  File "/usr/lib/python3.11/multiprocessing/process.py", line 160, in is_alive
    assert self._parent_pid == os.getpid(), 'can only test a child process'
AssertionError: can only test a child process
```

Message (torch 2.13; `the profiler began after`):

```text
[W313 10:10:57.401662797 CPUAllocator.cpp:245] Memory block of unknown size was allocated before the profiling started, profiler results will not include the deallocation event
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")

MEANS = {
    "has a minor version mismatch with the version that was used": "nvcc and PyTorch are of one CUDA with other second numbers: the extension works as a rule",
    "all archs for visible cards are included for compilation": "the extension is compiled for the cards of this machine: TORCH_CUDA_ARCH_LIST where it is to run on others",
    "version bounds defined for CUDA version": "this PyTorch does not know which compilers that CUDA takes, and does not check: nvcc will tell",
    "PyTorch is not compiled with NCCL support": "this PyTorch has no NCCL, as on Windows: DataParallel does without, processes talk by gloo",
    "Not enough SMs to use max_autotune_gemm": "the card has too few processors for max_autotune of products: compiled without",
    "tensor cores for float32 matrix multiplication available but not enabled": "float32 products could be computed in TF32, faster and less exact; as it is they are exact",
    "Setting attributes on Parameter": "DataParallel copies lists of parameters, and torch 1.7 to 1.10 tells so: the result is right",
    "Could not initialize NNPACK! Reason: Unsupported hardware": "this processor is none that NNPACK knows, and convolutions go another way: right; torch.backends.nnpack.set_flags(False) ends the lines",
    "Falling back to the old format < 1.6": "the file is an archive with a checkpoint in it, as torch.hub took them before 1.6, and is read: right",
    "about to download and run code from an untrusted repository": "code of a repository that is on no list of yours is run: torch.hub.load(..., trust_repo=True) where that is meant",
    "Single-Process Multi-GPU is not the recommended mode for DDP": "one process drives several cards: right, and slower than a process for each card with device_ids=[local_rank]",
    "Plan failed with a cudnnException": "a plan of cuDNN failed, and the next plan was taken: the result is right",
    "Online softmax is disabled on the fly": "the compiler takes another way for this softmax: the result is right",
    "enable_nested_tensor is True, but": "padding is not left out by nested tensors, as the layer does not allow for it: right, and a little slower",
    "does not support code generation for complex operators": "inductor leaves operations on complex numbers to PyTorch: right, and no faster than without",
    "azy modules are a new feature": "the interface of lazy layers may change; they work",
    "but did not find any unused parameters": "find_unused_parameters=True costs a walk over the graph in each step, and found none: leave it out",
    "Grad strides do not match bucket view strides": "a gradient lies otherwise in memory than DDP's buffer: right, and copied once more; .contiguous() after a permute before a convolution of size 1",
    "process group has NOT been destroyed": "the program ended without destroy_process_group(): the results stand; call it last",
    "There is an imbalance between your GPUs": "DataParallel waits for the slowest of unlike cards: the result is right",
    "Attempting to use hipBLASLt on an unsupported": "this card has no hipBLASLt, and hipBLAS is taken: the result is right",
    "'pin_memory' argument is set as true but no accelerator is found": "there is no card to pin memory for: pin_memory=torch.cuda.is_available()",
    "Please also save or load the state of the optimizer": "a scheduler's state goes together with its optimizer's: harmless where both are saved",
    "devices used by this process are currently unknown": "a barrier takes the card of the rank's number: right, unless ranks use others; init_process_group(device_id=...) says which",
    "has been overridden after learning rate scheduler": "a wrapper, as of mixed precision, replaced optimizer.step: harmless where it steps first",
    "ixed memory format inputs detected": "inputs lie in memory in two orders: right, and copied once more",
    "The server socket cannot be initialized on": "the machine has no IPv6, and IPv4 is taken: what follows tells whether the others came",
    "Falling back to deprecated pointwise behavior": "two shapes of as many elements, which PyTorch 0.2 still pairs one by one: right where that is meant",
    "there was no current CUDA context": "a thread multiplies before it has touched the card, which makes its context: right, and told once",
    "use the new API settings to control TF32": "TF32 is set by its older names, which still work: torch.backends.cuda.matmul.fp32_precision is the newer one",
    "API of MaskedTensors is in prototype stage": "the interface of masked tensors may change, and is no longer worked on: plain tensors with a mask last longer",
    "API of SparseSemiStructuredTensor is in prototype": "the interface of 2:4 sparsity may change; it works",
    "Sparse CSR tensor support is in beta state": "sparse CSR tensors know fewer operations; those that they know are right",
    "Sparse invariant checks are implicitly disabled": "the indices of sparse tensors are not looked at when they are made: torch.sparse.check_sparse_tensor_invariants.enable() or .disable() says it",
    "API of nested tensors is in prototype stage": "the interface of nested tensors may change; they work",
    "Anomaly Detection has been enabled": "anomaly mode is on, which is slow: right, and to be left out where nothing is searched for",
    "Using the current device set by the user": "a barrier takes the current card: right after torch.cuda.set_device(local_rank); init_process_group(device_id=...) says which",
    "Full backward hook is firing when gradients are computed with respect to": "the module's inputs need no gradient, so that its hook is given None for them: the rest is right",
    "amed tensors and all their associated APIs are an experimental": "the interface of named tensors may change",
    "barrier(): using the device under current context": "a barrier takes the current card: right after torch.cuda.set_device(local_rank); init_process_group(device_id=...) says which",
    "Couldn't retrieve source code for container of type": "the file holds no source of a class: it loads as well, and PyTorch cannot tell should you change the file of the class",
    "Initializing zero-element tensors is a no-op": "a layer has no size in one dimension, and nothing to initialize: right where that is meant",
    "is switching to use `NO_SHARD` instead": "there is one process, which has nothing to share out: right, and no memory saved",
    "uninitialized, assuming the intent is to": "there is no process group, so that one process writes or reads all of the checkpoint",
    "FSDP's sharding initialization run on CPU": "the model is sharded on the CPU, which is slower: device_id=torch.cuda.current_device() at wrapping",
    "Both mixed precision and an auto_wrap_policy were specified to FSDP": "layers of these kinds, as normalizations, are wrapped apart and stay in float32: right",
    "Profiler won't be using warmup": "the first steps that are recorded hold the profiler's own start: schedule(warmup=1)",
    "but step() is running without CUDA graph capture": "capturable=True costs a little in every step, and no graph is captured: capturable=False",
    "node's stream does not match the stream of the node": "gradients come on another stream than they are added up on, and PyTorch waits for it: right",
    "attention on Current AMD GPU is still experimental": "attention takes a way that is new on this card: right, and math is the way without it",
    "torch.jit.script` is deprecated": "TorchScript still works: torch.compile or torch.export for what is written anew",
    "legacy TorchScript-based ONNX export": "the older exporter to ONNX still works: dynamo=True is the newer one",
    "treespec, LeafSpec)` is deprecated": "PyTorch calls an older function of its own: its result is right",
    "torch.compile is ignored when called inside torch.export": "what is compiled is exported as if it were not: right",
    "torch.jit.trace` is deprecated": "TorchScript still works: torch.compile or torch.export for what is written anew",
    "torch.jit.load` is deprecated": "TorchScript still works: torch.compile or torch.export for what is written anew",
    "torch.jit.save` is deprecated": "TorchScript still works: torch.compile or torch.export for what is written anew",
    "torch.ao.quantization is deprecated": "`torch.ao.quantization` still works, in 2.13 too: torchao for what is written anew",
    "PYTORCH_CUDA_ALLOC_CONF is deprecated": "`PYTORCH_CUDA_ALLOC_CONF` works in all versions, and later ones no longer warn; the newer name does not turn expandable_segments on in 2.9",
    "set static_graph to be True, no need to set it": "static_graph is on already: one of the two calls does",
    "Tried to instantiate class '__path__._path'": "Streamlit looks for the files of `torch.classes`, which is no package, and goes on: `torch.classes.__path__ = []` after the import ends it",
    "Memory block of unknown size was allocated before": "the profiler began after this memory was taken, and leaves its release out: right",
    "`_set_static_graph` will detect unused": "static_graph=True finds unused parameters by itself: without find_unused_parameters",
}


pitfall.answers(MEANS, odds=0.95)

THREADS = "torchrun gives each process one thread, for a machine that is shared: OMP_NUM_THREADS=cores / processes where the CPU has work"
pitfall.answers(
    {"Setting OMP_NUM_THREADS environment variable for each process": THREADS}, odds=0.4
)


@pitfall.explains(r"can only test a child process", odds=0.9)
def copy_of_an_iterator(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/data/dataloader.py"):
        yield failure.hit(
            "a forked process, as a worker of another loader, throws away its copy of a loader's iterator: the run goes on; `del` of the iterator before it ends the lines"
        )
