r"""A transform of `torch.func` meets what it cannot transform.

`vmap`, `grad`, `jacrev` and their kin run a function on tensors that stand for something else: a whole batch, or a value and
its derivative. Such a tensor has no single value, so that `.item()`, `if x > 0` and operations whose result has a size of its own
are refused; random numbers must be said to be the same or different for each sample. `grad` wants one number out of the
function, and tensors all in all.

Cure: `torch.where` for a branch; `vmap(..., randomness="different")`; `.sum()` or `.mean()` at the end for `grad`, `jacrev` for more
than one number; `in_dims=None` for what is no batch; `torch.autograd.functional` wants tensors as well.

Bad (a branch):

```python
import torch

y = torch.vmap(lambda x: x if x > 0 else x / 2)(torch.ones(3))  # seen: `torch.where`
```

Bad (more than one number):

```python
import torch

slope = torch.func.grad(lambda x: x**2)
y = slope(torch.ones(3))  # seen: `one number`
```

Good:

```python
import torch

halves = torch.vmap(lambda x: torch.where(x > 0, x, x / 2))
slope = torch.func.grad(lambda x: (x**2).sum())
y, z = halves(torch.tensor([1.0, -1.0])), slope(torch.ones(3))
```

Message (torch 2.13; `randomness`):

```text
RuntimeError: vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or perform the randomness operation out of vmap
```

Message (torch 2.13; `[3, 4]`):

```text
ValueError: vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [3, 4] for the mapped dimension
```

Message (torch 2.13; `int`):

```text
ValueError: vmap(<lambda>, in_dims=0, ...)(<inputs>): Got in_dim=0 for an input but the input is of type <class 'int'>. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim
```

Message (torch 2.13; `int`):

```text
RuntimeError: grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got <class 'int'>
```

Message (torch 2.13; `int`):

```text
ValueError: vmap(<lambda>, ...): `<lambda>` must only return Tensors, got type <class 'int'>. Did you mean to set out_dims= to None for output?
```

Message (torch 2.13; `int`):

```text
TypeError: The outputs of the user-provided function given to jacobian must be either a Tensor or a tuple of Tensors but the given outputs of the user-provided function has type <class 'int'>.
```

Message (torch 2.13; `record by themselves`):

```text
RuntimeError: You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs) inside of a function being transformed by a functorch transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being transformed instead.
```

Message (torch 2.13; `setup_context`):

```text
RuntimeError: In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html
```

Message (torch 2.13; `track_running_stats`):

```text
RuntimeError: Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in place, were not batched.
```

Message (torch 2.13; `return it`):

```text
RuntimeError: Either your tensor may have escaped from inside a function being vmapped and this is a user error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the latter
```

Message (torch 2.13; `.numpy()`):

```text
RuntimeError: Cannot access data pointer of Tensor that doesn't have storage
```

Message (torch 2.13; `_scaled_dot_product_flash_attention_for_cpu`):

```text
NotImplementedError: Trying to use forward AD with _scaled_dot_product_flash_attention_for_cpu that does not support it because it has not been implemented yet.
```

Message (torch 1.13; `return it`):

```text
RuntimeError: maybe_layer.has_value() INTERNAL ASSERT FAILED at "../aten/src/ATen/VmapGeneratedPlumbing.h":10652, please report a bug to PyTorch.
```

Message (torch 2.13; `v has the shape`):

```text
RuntimeError: v has invalid size: should be torch.Size([3]) but got torch.Size([4]).
```

Message (functorch of 2021; `one for all samples`):

```text
RuntimeError: vmap: aten::copy_(self, *extra_args) is not possible because there exists a Tensor 'other' in extra_args that has more elements than 'self'. This happened due to 'other' being vmapped over but 'self' not being vmapped over. Please try to use out-of-place operators instead of aten::copy_.
```

Message (torch 2.13; `strict=False`):

```text
RuntimeError: While computing the hessian, found that the jacobian of the user-provided function with respect to input 0 is independent of the input. This is not allowed in strict mode. You should ensure that your function is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for example).
```

Message (torch 2.13; `has_aux=True`):

```text
RuntimeError: grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got <class 'tuple'>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

SIZES = "the result has a size of its own for each sample (nonzero, a mask in brackets): torch.where, or a loop"
STRICT = "with strict=True every output must hang on the inputs: strict=False gives zeros, and no detach() inside"
CURES = {
    "It looks like you're calling .item() on a Tensor": "inside vmap a tensor has no single value for .item(): stay with tensors",
    "attempting to use a Tensor in some data-dependent control flow": "inside vmap there is no `if` on a tensor: torch.where",
    "We do not support batching operators that can output dynamic shape": SIZES,
    "to return a scalar Tensor, got tensor with": "grad is of one number: .sum() at the end, or jacrev",
    "function given to hessian should contain a single element": "a hessian is of one number: .sum() at the end",
    "call Tensor.requires_grad_() (or perhaps using torch.autograd.functional": "requires_grad_() has no place inside of grad or "
    "vmap, which record by themselves: leave it out, and grad, jacrev or hessian of torch.func in place of autograd.functional",
    "it must override the setup_context staticmethod": "an autograd.Function under torch.func has forward without ctx, and a "
    "setup_context(ctx, inputs, output) beside it",
    "which will be updated in place, were not batched": "batch norm would change its running statistics inside of vmap: "
    "track_running_stats=False, eval(), or GroupNorm",
    "in extra_args that has more elements than": "what is written into is one for all samples: a result of its own in place of the writing",
    "escaped from inside a function being vmapped": "a tensor of inside vmap was kept, as in a list or an attribute, and used outside: return it",
    "maybe_layer.has_value() INTERNAL ASSERT FAILED": "a tensor of inside vmap was kept, as in a list or an attribute, and used outside: return it",
    "batched == nullptr INTERNAL ASSERT FAILED": SIZES,
    "batched == nullptrINTERNAL ASSERT FAILED": SIZES,
    "of the user-provided function does not require gradients": STRICT,
    "This is not allowed in strict mode": STRICT,
    "v has invalid size: should be": "v has the shape of what it is multiplied with: the outputs for vjp, the inputs for jvp",
    "The vector v can only be None if": "v is left out only where there is one number: give a v of the right shape",
    "gradcheck expects at least one input tensor to require": "gradcheck compares gradients: inputs of float64 with requires_grad=True",
    "or set generate_vmap_rule=True": "vmap goes through an autograd.Function only with generate_vmap_rule = True in it",
    "backward() called inside a functorch transform": "inside of grad or vmap there is no backward(): torch.func.grad of the function",
    "Cannot access data pointer of Tensor that doesn't have storage": "inside of grad or vmap a tensor has no memory of its own: no .numpy(), "
    ".data_ptr() or operator in C++ without a rule",
    "but it does not have vmap support": "vmap goes through an autograd.Function only with generate_vmap_rule = True in it",
    "Thing passed to transform API must be Tensor": "what is derived by is a tensor: torch.tensor(3.0), and argnums= names the argument",
    "Trying to set a forward gradient that has a different size": "a direction of jvp has the shape of its input",
}


pitfall.answers(CURES, odds=0.96)


@pitfall.explains(r"called random operation while in randomness error mode", odds=0.96)
def random_numbers(failure: Failure) -> Hits:
    fix = failure.mended("random_in_vmap")
    yield failure.hit("random numbers inside vmap: randomness='different', or 'same'", fix)


@pitfall.explains(
    r"Expected all tensors to have the same size in the mapped dimension, got sizes (?P<sizes>\[[\d, ]+\])",
    odds=0.97,
)
def batches_differ(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"]
    yield failure.hit(f"the batches are of sizes {sizes}: in_dims= names where each batch stands")


@pitfall.explains(
    r"but the input is of type <class '(?P<kind>[\w.]+)'>\. We cannot vmap over non-Tensor",
    odds=0.97,
)
def no_batch(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(f"an argument of type {kind} is no batch: in_dims=None for it")


@pitfall.explains(
    r"to return (?:a Tensor|only tensors), got (?:unsupported type )?<class '(?P<kind>[\w.]+)'>",
    r"must only return Tensors, got type <class '(?P<kind>[\w.]+)'>",
    r"function given to \w+ must be either a Tensor or a tuple of Tensors but .{0,80} has type <class '(?P<kind>[\w.]+)'>",
    odds=0.95,
)
def gives_no_tensor(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    cure = "has_aux=True for a pair" if kind == "tuple" else "tensors all through, no .item()"
    yield failure.hit(f"the function gives back {kind}: {cure}")


@pitfall.explains(
    r"Trying to use forward AD with (?P<op>\w{2,120}) that does not support it", odds=0.97
)
def no_forward_mode(failure: Failure) -> Hits:
    op = failure.groups["op"]
    cure = (
        "sdpa_kernel(SDPBackend.MATH) around it"
        if "attention" in op
        else "vjp, jacrev or other operations"
    )
    yield failure.hit(f"`{op}` has no derivative in forward mode (jvp, jacfwd, hessian): {cure}")
