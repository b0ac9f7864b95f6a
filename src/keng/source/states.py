"""A layer of Code: what is saved, what is loaded, and what a model is wrapped in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.protocol import Protocol
from keng.source.tables import PARALLEL
from keng.source.values import Kind

ASKS = frozenset(["builtins.hasattr", "builtins.isinstance", "torch.is_tensor"])
"""Functions that tell what an object is."""

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


class States(Protocol):
    def wrapped_by(self, model: ast.expr) -> str:
        """The attribute under which the wrapper of a model holds it, "module" or "_orig_mod"; nothing
        where it is not known to be wrapped."""
        value = self.value_of(model)
        if value.dotted in PARALLEL:
            return "module"
        call = value.call
        compiled = call is not None and call in self.parent
        if compiled and value.kind is Kind.MODULE and self._compiles(call):
            return "_orig_mod"
        return ""

    def _compiles(self, call: ast.Call | None) -> bool:
        return call is not None and self.resolve(call.func) == "torch.compile"

    def inside(self, model: ast.expr) -> ast.expr | None:
        """The model that `nn.DataParallel(model)` and its kin wrap, as it is written there."""
        call = self.value_of(model).call
        if call is None or call not in self.parent or self.wrapped_by(model) != "module":
            return None
        return call.args[0] if call.args else None

    def loads_wrapped(self) -> bool:
        """Whether a state dict is loaded into a wrapped model in this file, whose own prefix it may
        have, or into one that is not known."""
        for call in self.method_calls("load_state_dict"):
            receiver = self.me.receiver(call)
            value = self.value_of(receiver)
            known = value.kind is not Kind.UNKNOWN and bool(value.dotted or value.definition)
            if self.wrapped_by(receiver) or not known:
                return True
        return False

    def saves(self) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
        """Calls of torch.save, and what they save: one expression, or the values of a dict, which may
        have been given a name before."""
        for call in self.calls_to("torch.save"):
            given = self.argument(call, "obj", position=0)
            if given is not None:
                yield call, self._entries(given)

    def _entries(self, saved: ast.expr) -> list[ast.expr]:
        if isinstance(saved, ast.Name):
            value = self.assigned(saved)
            if isinstance(value, ast.Dict) or (
                isinstance(value, ast.Call) and self.kind_of(saved) is Kind.UNKNOWN
            ):
                return self._entries(value)
        if isinstance(saved, ast.Dict):
            return saved.values
        if isinstance(saved, ast.Call) and self.resolve(saved.func) == "builtins.dict":
            return [keyword.value for keyword in saved.keywords]
        return [saved]

    def saved(self, node: ast.expr) -> bool:
        """Whether torch.save is given a value, by itself or in a dict."""
        return any(node is entry for _, entries in self.saves() for entry in entries)

    def loaded_state(self, call: ast.Call) -> bool:
        """Whether what torch.load gives is handed to `load_state_dict`, whole or an entry of it."""
        text, scope = "", self.body_around(call)
        statement = self.statement(call)
        if isinstance(statement, ast.Assign) and statement.value is call:
            text = ast.unparse(statement.targets[0])
        for load in self.below(scope, ast.Call):
            if not isinstance(load.func, ast.Attribute) or load.func.attr != "load_state_dict":
                continue
            given = self._state_given(load)
            if given is call or (given is not None and text and ast.unparse(given) == text):
                return True
        return self._loaded_by_function(call)

    def _state_given(self, load: ast.Call) -> ast.expr | None:
        """What a `load_state_dict` is given, or an entry of it; nothing where it is plain numbers."""
        given = load.args[0] if load.args else None
        while isinstance(given, ast.Subscript):
            given = given.value
        return None if self._holds_numbers(self.me.receiver(load)) else given

    def _loaded_by_function(self, call: ast.Call) -> bool:
        """Whether a function of the project is given what a call gives, and loads it."""
        above = self.parent[call]
        function = self.definition(above.func) if isinstance(above, ast.Call) else None
        if not isinstance(above, ast.Call) or function is None:
            return False
        code, node = function.code.me, function.node
        if isinstance(node, ast.ClassDef):
            return False
        loads = [c for c in code.method_calls("load_state_dict") if code.within(c, node)]
        states = [code._state_given(load) for load in loads]
        names = [state.id for state in states if isinstance(state, ast.Name)]
        return any(code.passed(above, node, name) is call for name in names)

    def _holds_numbers(self, owner: ast.expr) -> bool:
        """Whether the state of a thing is plain numbers, on no device: a scheduler's, a scaler's."""
        known = self.kind_of(owner) in (Kind.SCHEDULER, Kind.SCALER)
        return known or re.search("sched|scaler", ast.unparse(owner).lower()) is not None

    def file_made_by(self, call: ast.Call, position: int, makers: str) -> bool:
        """Whether the file that torch.save or torch.load is given was made, empty, by a function whose
        name begins so."""
        file = self.argument(call, "f", position)
        file = file.value if isinstance(file, ast.Attribute) else file
        ways = [b.value for b in self.reaching(file)] if isinstance(file, ast.Name) else [file]
        return bool(ways) and all(
            isinstance(way, ast.Call) and not way.args and self.resolve(way.func).startswith(makers)
            for way in ways
        )

    def never_read(self, call: ast.Call) -> bool:
        """Whether what a call gives is put under names that nothing reads."""
        statement = self.statement(call)
        if not isinstance(statement, ast.Assign) or statement.value is not call:
            return False
        names = [n for target in statement.targets for n in ast.walk(target)]
        kept = {n.id for n in names if isinstance(n, ast.Name)}
        plain = all(isinstance(n, (ast.Name, ast.Tuple, ast.expr_context)) for n in names)
        uses = [n for n in self.below(self.body_around(call), ast.Name) if n.id in kept]
        return bool(kept) and plain and all(isinstance(n.ctx, ast.Store) for n in uses)

    def pickles_itself(self, node: ast.expr) -> bool:
        """Whether the class of an object says how it is pickled."""
        made = self.value_of(node).definition
        return made is not None and made.code.method(made, "__reduce__") is not None

    def just_saved(self, load: ast.Call) -> bool:
        """Whether what reads a file has written it a few lines above, on the same machine."""
        home, path = self.function_around(load), ast.unparse(load.args[0]) if load.args else ""
        return any(
            self.function_around(save) is home
            and self.position(save) < self.position(load)
            and any(ast.unparse(given) == path for given in save.args[1:])
            for save in self.calls_to("torch.save")
        )

    def reads_all(self, load: ast.Call) -> bool:
        """Whether a torch.load takes every class, or may do so."""
        flag = self.argument(load, "weights_only")
        return flag is not None and not self.is_constant(flag, True)

    def parsed_arguments(self, node: ast.expr) -> bool:
        """Whether a value is the Namespace that `parse_args()` gives."""
        if not isinstance(node, ast.Name):
            return False
        ways = [b.value for b in self.reaching(node) if b.how == "assign" and not b.path]
        return bool(ways) and all(
            isinstance(way, ast.Call)
            and isinstance(way.func, ast.Attribute)
            and way.func.attr == "parse_args"
            for way in ways
        )

    def mapped_elsewhere(self, load: ast.Call) -> bool:
        """Whether the other arm of an `if` around a torch.load says where to load to."""
        return any(
            self._exclusive(load, other) and self.argument(other, "map_location", 1) is not None
            for other in self.calls_to("torch.load")
        )

    def picked_by_hand(self, state: ast.expr | None) -> bool:
        """Whether a state dict was put together here: picked from another by an `if`, filled, or
        written out."""
        ways: list[ast.AST | None] = [state]
        if isinstance(state, ast.Name):
            ways = [binding.value for binding in self.reaching(state)]
        picked = [
            w for w in ways if isinstance(w, ast.DictComp) and any(p.ifs for p in w.generators)
        ]
        filled = [
            w for w in ways if isinstance(w, ast.Dict) and all(map(self.text_constant, w.keys))
        ]
        return bool(picked or filled) or any(map(self._matched, ways))

    def _matched(self, made: ast.AST | None) -> bool:
        """Whether a function was given a state dict of a model to match another against."""
        given = made.args if isinstance(made, ast.Call) and len(made.args) > 1 else []
        names = [arg.func for arg in given if isinstance(arg, ast.Call)]
        return any(isinstance(f, ast.Attribute) and f.attr == "state_dict" for f in names)

    def text_constant(self, node: ast.AST | None) -> str:
        """The text of a string literal."""
        constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return str(node.value) if constant and isinstance(node, ast.Constant) else ""

    def attributes_of_wrapped(self) -> Iterator[tuple[ast.Attribute, str]]:
        """Reads of `model.name` where the model is in a DataParallel or DistributedDataParallel, or may
        be as Accelerate prepared it, and the name is one that its class gives it, and no wrapper has;
        with the model inside, as text."""
        wraps = next(self.calls_to(*PARALLEL), None) or self.imports("accelerate.")
        for node in self.of(ast.Attribute) if wraps else ():
            if not isinstance(node.ctx, ast.Load) or node.attr in ON_EVERY_WRAPPER:
                continue
            inner, text = self.inside(node.value), f"{ast.unparse(node.value)}.module"
            if (accelerator := self.me.prepared_by(node.value)) is not None:
                inner = node.value
                text = f"{ast.unparse(accelerator)}.unwrap_model({ast.unparse(node.value)})"
            if inner is not None and self._is_of_class(inner, node.attr) and not self.asked(node):
                yield node, text

    def _is_of_class(self, model: ast.expr, name: str) -> bool:
        """Whether the class of a model is known to give it an attribute."""
        value = self.value_of(model)
        if value.dotted.startswith("transformers.Auto"):
            return name in OF_PRETRAINED
        owner = value.definition
        if owner is None or not isinstance(owner.node, ast.ClassDef):
            return False
        given = name in owner.code.attributes(owner.node)
        return given or owner.code.member(owner.node, [name]) is not None

    def asked(self, node: ast.AST) -> bool:
        """Whether a test around a node asks what the object is."""
        tests = [
            above.test for above in self.ancestors(node) if isinstance(above, (ast.If, ast.IfExp))
        ]
        calls = [call for test in tests for call in ast.walk(test) if isinstance(call, ast.Call)]
        names = {self.resolve(call.func) for call in calls}
        return bool(names & ASKS) or self.probed(node)

    def byte_masks(self) -> Iterator[tuple[ast.Subscript, ast.expr, ast.Call]]:
        """Tensors that are indexed with a mask of bytes, or with its inverse: the index, the mask, and
        the `.byte()` or ByteTensor that made it; the first use of each."""
        seen: set[ast.Call] = set()
        for node in self.of(ast.Subscript):
            mask = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
            made = self._bytes_made_by(mask)
            if made is None or made in seen:
                continue
            if self.kind_of(node.value) in (Kind.TENSOR, Kind.UNKNOWN):
                seen.add(made)
                yield node, mask, made

    def taken_from_one(self, mask: ast.expr) -> Iterator[tuple[ast.BinOp, str]]:
        """Where the same mask is inverted as `1 - mask`, and its name there."""
        ways = [b.value for b in self.reaching(mask)] if isinstance(mask, ast.Name) else []
        for node in self.of(ast.BinOp):
            match node:
                case ast.BinOp(ast.Constant(1), ast.Sub(), ast.Name() as name):
                    if ways and [b.value for b in self.reaching(name)] == ways:
                        yield node, name.id

    def _bytes_made_by(self, mask: ast.expr) -> ast.Call | None:
        ways: list[ast.AST | None] = [mask]
        if isinstance(mask, ast.Name):
            ways = [b.value if not b.path else None for b in self.reaching(mask)]
        only = ways[0] if len(ways) == 1 else None
        match only:
            case ast.Call(func=ast.Attribute(attr="fill_" | "zero_", value=filled)):
                only = filled
        if not isinstance(only, ast.Call):
            return None
        method = isinstance(only.func, ast.Attribute) and only.func.attr == "byte"
        if method and isinstance(only.func, ast.Attribute):
            compared = isinstance(only.func.value, ast.Compare)
            return only if compared or self.kind_of(only.func.value) is Kind.TENSOR else None
        named = [k.value for k in only.keywords if k.arg == "dtype"]
        if isinstance(only.func, ast.Attribute) and only.func.attr in ("to", "type"):
            named += only.args
        bytes_ = any(self.resolve(each) == "torch.uint8" for each in named)
        made = self.resolve(only.func) == "torch.ByteTensor" or bytes_
        return only if made and not self.resolve(only.func).startswith("numpy.") else None

    def resumes_from(self, save: ast.Call) -> set[str]:
        """The keys of checkpoints that this file reads outside of a `load_state_dict`: "epoch"."""
        loads = {self._assigned_to(call) for call in self.calls_to("torch.load")} - {""}
        return {
            self.text_constant(node.slice)
            for node in self.of(ast.Subscript)
            if isinstance(node.ctx, ast.Load) and ast.unparse(node.value) in loads
        } & self.saved_keys(save)

    def optimizers_left_behind(self, save: ast.Call) -> Iterator[tuple[ast.Call, str]]:
        """Where a file that holds an optimizer's state is loaded, and nothing but other entries of it is
        ever read: the torch.load, and the entry left."""
        given = self.argument(save, "obj", position=0)
        made = given if isinstance(given, ast.Dict) else None
        left = (
            [
                self.text_constant(key)
                for key, value in zip(made.keys, made.values, strict=True)
                if self.saves_state_of([value], Kind.OPTIMIZER)
            ]
            if made
            else []
        )
        for load in self.calls_to("torch.load") if left else ():
            name = self._assigned_to(load)
            uses = [n for n in self._names_by_id.get(name, ()) if isinstance(n.ctx, ast.Load)]
            read = [self.parent[use] for use in uses]
            keys = {
                self.text_constant(r.slice) if isinstance(r, ast.Subscript) else "" for r in read
            }
            if read and not keys & {*left, ""}:
                yield load, left[0]

    def saved_keys(self, save: ast.Call) -> set[str]:
        """The keys of the dict that torch.save is given; with "" where it has others."""
        given = self.argument(save, "obj", position=0)
        if isinstance(given, ast.Name):
            ways = self.reaching(given)
            given = ways[0].value if len(ways) == 1 and not ways[0].path else None
        if not isinstance(given, ast.Dict):
            return set()
        return {self.text_constant(key) for key in given.keys}

    def saves_state_of(self, entries: list[ast.expr], kind: Kind) -> bool:
        """Whether one of the saved values is, or may be, the state dict of a thing of this kind."""
        for entry in entries:
            owner = entry.func if isinstance(entry, ast.Call) else None
            known = self.kind_of(owner.value) if isinstance(owner, ast.Attribute) else Kind.UNKNOWN
            text = ast.unparse(entry).lower()
            if known is kind or (known is Kind.UNKNOWN and "opt" in text):
                return True
        return False

    def carrying_optimizers(self) -> Iterator[ast.Call]:
        """Optimizers that have a memory of earlier steps: running averages or momentum."""
        for call in self.of(ast.Call):
            if self.resolve(call.func).startswith("torch.optim.") and self.carries_on(call):
                memory = "SGD" not in self.resolve(call.func) or self.argument(call, "momentum", 2)
                if memory:
                    yield call

    def _is_of_this_file(self, call: ast.Call) -> bool:
        made = self.definition(call.func)
        return made is not None and made.code is self.me

    def seeds_by_name(self, *apart: str) -> bool:
        """Whether something that the file calls or imports is named for setting seeds, torch's own
        `manual_seed` and what is named apart."""
        for name, calls in self.calls_by_name.items():
            own = name.startswith("manual_seed")
            others = [
                c
                for c in calls
                if "manual_seed" not in (dotted := self.resolve(c.func))
                and dotted not in apart
                and not self._is_of_this_file(c)
            ]
            if "seed" in name and not own and others:
                return True
        return any(
            "seed" in alias.name and not alias.name.startswith("manual_seed")
            for node in self.of(ast.ImportFrom)
            for alias in node.names
        )
