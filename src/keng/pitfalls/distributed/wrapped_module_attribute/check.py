"""Source code: a wrapped model is asked for what the model inside has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import member
from keng.source.types.tables import PARALLEL

ON_EVERY_WRAPPER = frozenset(
    """
    module forward device device_ids output_device dim gather scatter join logger no_sync
    process_group reducer replicate parallel_apply broadcast_buffers find_unused_parameters
    static_graph training train eval to cpu cuda half float double bfloat16 type apply parameters
    named_parameters buffers named_buffers children named_children modules named_modules state_dict
    load_state_dict zero_grad requires_grad_ register_buffer register_parameter register_module
    add_module get_submodule get_parameter register_forward_hook register_forward_pre_hook
    register_full_backward_hook extra_repr share_memory compile dump_patches
    """.split()
)
"""Names of a wrapper itself, or of every module."""
OF_PRETRAINED = frozenset({"generate", "config", "save_pretrained", "get_input_embeddings"})
"""Names of the models of Transformers."""


@finds(fixes=True)
def asked_of_the_wrapper(code: Code) -> Hits:
    for node, inside in _attributes_of_wrapped(code):
        edit = code.edits.replace(node.value, inside)
        fix = Fix(say("ask-model-inside"), (edit,), "safe")
        wrapper = code.text_of(node.value)
        says = say("attribute-of-wrapped", wrapper=wrapper, name=node.attr, inside=inside)
        if code.processes.prepared_by(node.value) is not None:
            says = say("attribute-of-prepared", wrapper=wrapper, name=node.attr, inside=inside)
        yield code.hit(node, says, fix)


def _inside(code: Code, model: ast.expr) -> ast.expr | None:
    """The model that `nn.DataParallel(model)` and its kin wrap, as it is written there."""
    call = code.types.value_of(model).call
    if call is None or call not in code.tree.parent or code.states.wrapped_by(model) != "module":
        return None
    return call.args[0] if call.args else None


def _attributes_of_wrapped(code: Code) -> Iterator[tuple[ast.Attribute, str]]:
    """Reads of `model.name` where the model is in a DataParallel or DistributedDataParallel, or may
    be as Accelerate prepared it, and the name is one that its class gives it, and no wrapper has;
    with the model inside, as text."""
    wraps = next(code.calls.calls_to(*PARALLEL), None) or code.names.imports("accelerate.")
    for node in code.of(ast.Attribute) if wraps else ():
        if not isinstance(node.ctx, ast.Load) or node.attr in ON_EVERY_WRAPPER:
            continue
        inner, text = _inside(code, node.value), f"{ast.unparse(node.value)}.module"
        if (accelerator := code.processes.prepared_by(node.value)) is not None:
            inner = node.value
            text = f"{ast.unparse(accelerator)}.unwrap_model({ast.unparse(node.value)})"
        if (
            inner is not None
            and _is_of_class(code, inner, node.attr)
            and not code.states.asked(node)
        ):
            yield node, text


def _is_of_class(code: Code, model: ast.expr, name: str) -> bool:
    """Whether the class of a model is known to give it an attribute."""
    value = code.types.value_of(model)
    if value.dotted.startswith("transformers.Auto"):
        return name in OF_PRETRAINED
    owner = value.definition
    if owner is None or not isinstance(owner.node, ast.ClassDef):
        return False
    given = name in code.classes.of(owner.tree).attributes(owner.node)
    return given or member(owner.node, [name]) is not None
