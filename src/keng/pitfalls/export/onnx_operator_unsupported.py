r"""An operator has no form in ONNX of that opset.

Each opset version of ONNX holds some operators. The exporter knows translations for a range of versions;
an operator came with a later one, or has none at all and must be written with others.

Cure: the opset that the message names, `opset_version=...`; the newer exporter, `torch.onnx.export(...,
dynamo=True)`; or write the operation otherwise in forward.

Bad:

```python
import torch

model = torch.nn.Identity()
torch.onnx.export(model, (torch.ones(1),), "m.onnx", opset_version=9, dynamo=False)  # seen: opset
```

Good:

```python
import torch

print(torch.nn.Identity()(torch.ones(1)))
```

Message (torch 2.4; `opset_version=16`):

```text
torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::grid_sampler' to ONNX opset version 11 is not supported. Support for this operator was added in version 16, try exporting with this version.
```

Message (torch 1.12 to 2.0, a Transformer in evaluation; `set_fastpath_enabled`):

```text
torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::_transformer_encoder_layer_fwd' to ONNX opset version 13 is not supported. Please feel free to request support or submit a pull request on PyTorch GitHub: https://github.com/pytorch/pytorch/issues.
```

Message (torch 2.0; `torch 2.1 or later`):

```text
torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::scaled_dot_product_attention' to ONNX opset version 17 is not supported. Please feel free to request support or submit a pull request on PyTorch GitHub: https://github.com/pytorch/pytorch/issues.
```

Message (torch 1.13; `aten::fft_fft2`):

```text
torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::fft_fft2' to ONNX opset version 13 is not supported. Please feel free to request support or submit a pull request on PyTorch GitHub: https://github.com/pytorch/pytorch/issues.
```

Message (torch 2.7, the newer exporter; `onnxscript`):

```text
torch.onnx._internal.exporter._errors.DispatchError: No ONNX function found for <OpOverload(op='aten.linalg_eig', overload='default')>. Failure message: No decompositions registered for the complex-valued input
```

Message (torch 1.0 to 2.13; `adaptive_avg_pool2d`):

```text
torch.onnx.errors.SymbolicValueError: Unsupported: ONNX export of operator adaptive_avg_pool2d, output size that are not factor of input size. Please feel free to request support or submit a pull request on PyTorch GitHub: https://github.com/pytorch/pytorch/issues
```

Message (torch 1.0 to 1.12; `aten::upsample_bilinear2d`):

```text
RuntimeError: ONNX export failed: Couldn't export operator aten::upsample_bilinear2d
```

Message (torch 1.0 to 2.13; `constant`):

```text
RuntimeError: Failed to export an ONNX attribute 'onnx::Gather', since it's not constant, please try to make things (e.g., kernel size) static if possible
```

Message (torch 1.0 to 2.13; `index_put`):

```text
RuntimeError: Unsupported: ONNX export of index_put in opset 9. Please try opset version 11.
```

Message (torch 1.3 to 2.13; `newer PyTorch`):

```text
ValueError: Unsupported ONNX opset version: 16
```

Message (torch 1.3 to 2.13; `a higher`):

```text
ValueError: Unsupported ONNX opset version: 6
```

Message (torch 1.0 to 1.2; `a size that is computed is`):

```text
RuntimeError: Failed to export an ONNX attribute, since it's not constant, please try to make things (e.g., kernel size) static if possible
```

Message (torch 1.0 to 1.10; `padding`):

```text
RuntimeError: ONNX symbolic expected a constant value of the padding argument, got `%1 : Long() = onnx::Cast`
```

Message (torch 1.4 to 2.13; `torchvision::deform_conv2d`):

```text
RuntimeError: ONNX export failed on an operator with unrecognized namespace torchvision::deform_conv2d. If you are trying to export a custom operator, make sure you registered it with the right domain and version.
```

Message (torch 1.11 to 2.13; `convolution`):

```text
torch.onnx.errors.SymbolicValueError: Unsupported: ONNX export of convolution for kernel of unknown shape.
```

Message (torch 2.5 to 2.13; `translation`):

```text
torch.onnx._internal.exporter._errors.ConversionError: Failed to convert the exported program to an ONNX model. This is step 3/3 of exporting the model to ONNX. Next steps:
```

Message (torch 2.3 to 2.5, dynamo_export; `sym_float`):

```text
RuntimeError: Unknown call_function target: <function sym_float at 0x7a47c206c860>
```

Message (torch 1.10 to 2.13; `embedding`):

```text
torch.onnx.errors.SymbolicValueError: Unsupported: ONNX export of embedding with scale_grad_by_freq=True for training mode. ONNX does not support scaling the gradients.
```

Message (torch 1.13 to 2.13; `bitwise OR`):

```text
torch.onnx.errors.SymbolicValueError: ONNX export does NOT support exporting bitwise OR for non-boolean input values. self:
```

Message (torch 2.13; `opset 30`):

```text
RuntimeError: Unsupported onnx_opset_version: 30
```

Message (torch 1.13 to 2.13; `aten::floor`):

```text
torch.onnx.errors.SymbolicValueError: Failed to export a node '%121 : int = aten::floor(%120)' (in list node %122 : int[] = prim::ListConstruct(%121)) because it is not constant. Please try to make things (e.g. kernel sizes) static if possible.
```

Message (torch 1.13 to 2.13; `label_smoothing`):

```text
torch.onnx.errors.SymbolicValueError: Unsupported: ONNX does not support label_smoothing
```

Message (torch 1.2 to 1.4; `dim`):

```text
  File "/env/lib/python3.6/site-packages/torch/onnx/symbolic_registry.py", line 91, in get_registered_op
    return _registry[(domain, version)][opname]
KeyError: 'dim'
```

Message (torch 2.6 to 2.13, without more; `dynamo=True`):

```text
torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::linalg_inv' to ONNX opset version 20 is not supported
```

Message (torch 2.9 to 2.13; `opset 99`):

```text
torch.onnx.errors.OnnxExporterWarning: Exporting to ONNX opset version 99 is not supported. by 'torch.onnx.export()'. The highest opset version supported is 20. To use a newer opset version, consider 'torch.onnx.export(..., dynamo=True)'.
```

Message (torch 1.2 to 1.9; `opset 9`):

```text
RuntimeError: ONNX export failed on adaptive_avg_pool2d, which is not implemented for opset 9. Try exporting with other opset versions.
```

Message (torch 1.2 to 1.5; `upsample_nearest2d`):

```text
UserWarning: ONNX export failed on ATen operator upsample_nearest2d because torch.onnx.symbolic_opset9.upsample_nearest2d does not exist
```

Message (torch 0.3 to 1.9; `align_corners == True`):

```text
UserWarning: ONNX export failed on upsample_bilinear2d because align_corners == True not supported
```

Message (torch 1.2 to 1.9; `ListConstruct`):

```text
RuntimeError: ONNX symbolic doesn't know to interpret ListConstruct node
```

Message (torch 1.13 to 2.4; `ListConstruct`):

```text
torch.onnx.errors.SymbolicValueError: ONNX symbolic does not know how to unpack the ListConstruct node that is not a list of integers: '7 defined in (%7 : int[] = prim::ListConstruct(%5, %6))'
```
"""

from keng.explain.advice.compiled import for_no_form, for_no_translation, opset_not_written
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="the old exporter")


@pitfall.explains(
    r"Exporting the operator '?(?P<op>[\w:]+)'? to ONNX opset version (?P<opset>\d+) is not supported\b"
    r"(?:\. Support for this operator was added in version (?P<since>\d+))?",
    r"ONNX export failed on (?P<op>[\w:]+), which is not implemented for opset (?P<opset>\d+)",
    odds=0.97,
)
def not_in_this_opset(failure: Failure) -> Hits:
    op, opset, since = (failure.groups.get(name) for name in ("op", "opset", "since"))
    yield failure.hit(f"`{op}` has no form in opset {opset}: {for_no_form(op or '', since or '')}")


@pitfall.explains(
    r"Unsupported (?:ONNX opset |onnx_opset_)version: (?P<opset>\d+)|Exporting to ONNX opset version (?P<told>\d+) is not supported",
    odds=0.95,
)
def opset_of_another_torch(failure: Failure) -> Hits:
    yield failure.hit(opset_not_written(failure.groups["opset"] or failure.groups["told"]))


@pitfall.explains(r"ONNX symbolic expected a constant value (?:of|in) the '?(?P<op>\w+)", odds=0.95)
def constant_wanted(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is computed, and ONNX wants it constant: a number of Python's, or dynamo=True"
    )


@pitfall.explains(r"(?:found for <OpOverload\(op=|KeyError: )'(?P<op>[a-z_][\w.]+)'", odds=0.95)
def without_translation(failure: Failure) -> Hits:
    if failure.kind != "KeyError" or "torch/onnx/" in failure.raised_in:
        cure = for_no_translation("OpOverload" in failure.message)
        yield failure.hit(f"`{failure.groups['op']}` has no translation to ONNX: {cure}")


@pitfall.explains(
    r"ONNX export of (?:operator )?(?P<op>[\w ]{2,60}?)(?:, | (?=in opset))(?P<why>.{3,120}?)\.(?: |$)",
    r"ONNX export of (?P<op>\w+) (?:for|with) (?P<why>(?!in opset)[^.\n]{3,120})",
    r"ONNX export does (?:NOT|not) support exporting (?P<op>'?[\w ()]{3,50}?'?)(?: function)? (?:for|with|while) (?P<why>[^.\n]{3,100})",
    r"ONNX export failed on (?:ATen|custom|quantized|primitive) operator (?P<op>[\w:]+)(?: because torch\.onnx\.symbolic|; please report)",
    r"ONNX export failed on (?P<op>\w+) because (?P<why>.{3,80} not supported)",
    r"ONNX export failed: Couldn't export operator (?P<op>[\w:]+)",
    r"ONNX does not support (?P<op>label_smoothing|(?:mean|sum) reduction for \w+|include_self=False)",
    r"Unknown call_function target: <(?:built-in )?function (?P<op>\w+)",
    odds=0.95,
)
def not_in_this_form(failure: Failure) -> Hits:
    op, why = failure.groups["op"], failure.groups.get("why", "")
    yield failure.hit(
        f"`{op}` has no form in ONNX{f' ({why})' if why else ''}: a newer opset, dynamo=True, or other operators"
    )


@pitfall.explains(
    r"ONNX symbolic (?:doesn't know to interpret|does not know how to unpack) (?:the )?(?P<op>ListConstruct|Constant) node|ONNX export only supports constant dim values in \.size\(\)",
    r"Failed to export an ONNX attribute(?: '(?P<op>[\w:]+)')?, since it's not constant",
    r"Failed to export a node '%\S{1,40} : \S{1,40} = (?P<op>\w+::\w+).{0,300}?because it is not constant",
    odds=0.95,
)
def not_a_constant(failure: Failure) -> Hits:
    op = f" ({failure.groups['op']})" if failure.groups["op"] else ""
    yield failure.hit(
        f"a size that is computed{op} is to be constant in ONNX: int(x.shape[i]), or fixed sizes"
    )


@pitfall.explains(r"operator with unrecognized namespace (?P<op>(?!prim::)\w+::\w+)", odds=0.96)
def not_torchs_own(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is not torch's own, and no form in ONNX is registered: torch.onnx.register_custom_op_symbolic, or "
        "plain operations"
    )


@pitfall.explains(r"Failed to convert the exported program to an ONNX model", odds=0.8)
def not_translated(failure: Failure) -> Hits:
    yield failure.hit(
        "the model was captured, and an operation of it has no translation to ONNX: the innermost error names it; dynamo=False is another way"
    )
