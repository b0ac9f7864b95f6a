"""Hostile archives of torch.export: files within, expressions and code that torch evaluates."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from containers import COMMAND, Hostile, changed, harm, late, plain, saved, unzipped, zipped

KIND = "torch.export"
EXPRESSION = f"__import__('os').system('{COMMAND}')"
MODEL = "models/model.json"


@cache
def _clean() -> bytes:
    import hostile_modules
    import torch

    many = {"x": {0: torch.export.Dim("batch", min=2, max=64)}}
    program = torch.export.export(
        hostile_modules.Linear(), (torch.randn(5, 3),), dynamic_shapes=many
    )
    out = io.BytesIO()
    torch.export.save(program, out)
    return out.getvalue()


def _model(change: Any) -> bytes:
    entries = {name.partition("/")[2]: data for name, data in unzipped(_clean())}
    model = json.loads(entries[MODEL])
    change(model)
    return changed(_clean(), {MODEL: json.dumps(model).encode()})


def files() -> Iterator[Hostile]:
    yield from _files_within()
    yield from _expressions()


def _files_within() -> Iterator[Hostile]:
    for name, entry in {
        "sample-inputs": "data/sample_inputs/model.pt",
        "weights": "data/weights/model.pt",
        "constants": "data/constants/model.pt",
    }.items():
        yield _of(
            name, changed(_clean(), {entry: saved(harm())}), "issue 34: files within", "export"
        )
        late_ = changed(_clean(), {entry: saved(late())})
        yield _of(f"{name}-late", late_, "issue 34: a persistent id first", "export")
    config = {
        "config": {
            "x": {
                "path_name": "opaque_obj_0",
                "is_param": False,
                "use_pickle": True,
                "tensor_meta": None,
            }
        }
    }
    more = {
        "data/constants/model_constants_config.json": json.dumps(config).encode(),
        "data/constants/opaque_obj_0": harm(),
    }
    yield _of("opaque", changed(_clean(), more), "pickle.loads of opaque objects", "export")
    config["config"]["x"]["path_name"] = "tensor_0"
    pickled = {
        "data/constants/model_constants_config.json": json.dumps(config).encode(),
        "data/constants/tensor_0": saved(harm()),
    }
    yield _of("use-pickle", changed(_clean(), pickled), "use_pickle", "export")
    yield _of("extra", changed(_clean(), {"extra/x.pt": saved(late())}), "extra files", "")
    case = {"data/sample_inputs/MODEL.PT": saved(late())}
    yield _of("case", changed(_clean(), case), "a name in another case", "")
    old = [
        ("version", b"8.1"),
        ("serialized_exported_program.json", b"{}"),
        ("serialized_state_dict.pt", saved(plain({}))),
        ("serialized_constants.pt", saved(plain({}))),
        ("serialized_example_inputs.pt", saved(late())),
    ]
    yield _of("old-inputs", zipped(old), "torch.export before 2.8", "")


def _expressions() -> Iterator[Hostile]:
    def size(model: Any) -> None:
        sizes = model["graph_module"]["graph"]["tensor_values"]["x"]["sizes"]
        sizes[0]["as_expr"]["expr_str"] = EXPRESSION

    def guards(model: Any) -> None:
        model["guards_code"] = [EXPRESSION]

    def target(model: Any) -> None:
        model["graph_module"]["graph"]["nodes"][0]["target"] = "torch.hub.os.system"

    def ranges(model: Any) -> None:
        model["range_constraints"] = {EXPRESSION: {"min_val": 2, "max_val": 4}}

    def names(model: Any) -> None:
        call = model["graph_module"]["module_call_graph"][0]
        call["signature"]["forward_arg_names"] = [f"x={EXPRESSION}"]

    def symbol(model: Any) -> None:
        sizes = model["graph_module"]["graph"]["tensor_values"]["x"]["sizes"]
        sizes[0]["as_expr"]["expr_str"] = f"Symbol('s77', positive={EXPRESSION})"

    def lambda_(model: Any) -> None:
        sizes = model["graph_module"]["graph"]["tensor_values"]["x"]["sizes"]
        sizes[0]["as_expr"]["expr_str"] = f"(lambda: {EXPRESSION})()"

    def factory(model: Any) -> None:
        call = model["graph_module"]["module_call_graph"][0]["signature"]
        context = {
            "default_factory_module": "antigravity",
            "default_factory_name": "fly",
            "dict_context": [],
        }
        spec = {
            "type": "collections.defaultdict",
            "context": json.dumps(context),
            "children_spec": [],
        }
        call["out_spec"] = json.dumps([1, spec])

    yield _of("factory", _model(factory), "a module that a structure imports", "")
    yield _of("expression", _model(size), "issue 34: expr_str", "export")
    yield _of("expression-argument", _model(symbol), "issue 34: expr_str", "export")
    yield _of("expression-lambda", _model(lambda_), "issue 34: expr_str", "export")

    def parentheses(model: Any) -> None:
        sizes = model["graph_module"]["graph"]["tensor_values"]["x"]["sizes"]
        sizes[0]["as_expr"]["expr_str"] = "(breakpoint)()"

    yield _of("expression-parentheses", _model(parentheses), "a call of what is in parentheses", "")
    yield _of("guards", _model(guards), "guards_code is compiled", "export-module")
    yield _of("target", _model(target), "a target that is no operator", "")

    def operator(model: Any) -> None:
        node = model["graph_module"]["graph"]["nodes"][0]
        node["inputs"][0]["arg"] = {"as_operator": "torch.hub.os.system"}

    yield _of("operator", _model(operator), "an operator as an argument", "")
    yield _of("ranges", _model(ranges), "names of ranges", "")
    yield _of("argument-names", _model(names), "names that become code", "")


def _of(name: str, data: bytes, source: str, loader: str) -> Hostile:
    return Hostile(f"export-{name}.pt2", data, KIND, loader, source)
