"""Gradient mode and train / eval mode at a place of the program, and the layers that depend on them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple, cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow, text_root
from keng.source.names import Binding, Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, LOOPS, Definition, Function, Tree, member, pairs_assigned
from keng.source.types.infer import Types
from keng.source.types.kinds import MODULES, Kind, Value, two_of
from keng.source.types.tables import MODULE_CHAIN, PARALLEL

DISABLES = ("torch.no_grad", "torch.inference_mode")
MAY_EVALUATE = re.compile(r"eval|infer|ema|grad", re.IGNORECASE)
SWITCHES = re.compile(r"no_grad|inference_mode|set_grad_enabled")


class Grad(Enum):
    """Whether operations at a place are recorded for backward."""

    ON = "on"
    OFF = "off"
    UNKNOWN = "unknown"


DEEPEST = 4
PUBLISHED = (
    (
        re.compile(
            r"torchvision\.models\.(?:\w+\.)?(?:\w*resne[x]?t|densenet|mobilenet|mnasnet|shufflenet|"
            r"googlenet|inception|efficientnet|regnet|vgg\d+_bn)"
        ),
        ("BatchNorm2d",),
    ),
    (re.compile(r"torchvision\.models\.(?:\w+\.)?(?:alexnet|vgg|squeezenet)"), ("Dropout",)),
)
"""Families of published models and the layers in them that heed the mode."""


class Settings(NamedTuple):
    """A constructor, or a function that builds layers, and the constants that it gets, by parameter."""

    function: Function | None
    values: Mapping[str, object]


NO_SETTINGS = Settings(None, {})


class Modes:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Modes:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Modes, tree)

    def in_try_or_raises(self, node: ast.AST) -> bool:
        """Whether a node only tries whether something works: under `try` or `pytest.raises`."""
        for above in self.tree.ancestors(node):
            if isinstance(above, ast.Try) and self.flow.field_of(node, above) == "body":
                return True
            if isinstance(above, ast.With) and expects_an_error(above):
                return True
            if isinstance(above, FUNCTIONS):
                return False
        return False

    def guarded_by_training_flag(self, node: ast.AST) -> bool:
        """Whether a node runs only where an `if` or `and` asked for `.training` or a flag so named."""
        for above in self.tree.ancestors(node):
            if isinstance(above, FUNCTIONS):
                return self._returns_early_unless_training(above, node)
            test = getattr(above, "test", None) if isinstance(above, (ast.If, ast.IfExp)) else None
            if isinstance(above, ast.BoolOp):
                test = above
            if test is not None and any(self._says_training(n) for n in ast.walk(test)):
                return True
        return False

    def _returns_early_unless_training(self, function: Function, node: ast.AST) -> bool:
        for statement in function.body:
            if self.tree.within(node, statement):
                return False
            leaves = isinstance(statement, ast.If) and isinstance(
                statement.body[-1], (ast.Return, ast.Raise)
            )
            if leaves and any(
                self._says_training(n) for n in ast.walk(cast(ast.If, statement).test)
            ):
                return True
        return False

    def _says_training(self, node: ast.AST) -> bool:
        name = (
            node.attr
            if isinstance(node, ast.Attribute)
            else node.id
            if isinstance(node, ast.Name)
            else ""
        )
        return name in ("training", "train", "is_training", "is_train", "istrain")

    def grad_at(self, node: ast.AST, depth: int = 6) -> Grad:
        """Whether autograd records at a node: with-blocks and decorators around it, a switch thrown
        before it, and, from inside a function, the places that call it."""
        for above in self.tree.ancestors(node):
            if isinstance(above, (ast.With, ast.AsyncWith)):
                for item in reversed(above.items):
                    if (state := self.grad_mode_set_by(item.context_expr)) is not None:
                        return state
            if isinstance(above, FUNCTIONS):
                return self._grad_in(above, node, depth)
        return Grad.OFF if self._thrown_before(node, self.tree.root) else Grad.ON

    def _grad_in(self, function: Function, node: ast.AST, depth: int) -> Grad:
        for decorator in function.decorator_list:
            if (state := self.grad_mode_set_by(decorator)) is not None:
                return state
        if self._thrown_before(node, function):
            return Grad.OFF
        if depth and self.types.has_many_callers(function):
            return Grad.UNKNOWN
        calls = self.types.callers(function) if depth else ()
        states = two_of(self.of(tree).grad_at(call, depth - 1) for tree, call in calls)
        if not states:
            return Grad.ON
        return states.pop() if len(states) == 1 else Grad.UNKNOWN

    def grad_mode_set_by(self, expression: ast.expr) -> Grad | None:
        """What a context manager or decorator does to gradients; None where it does nothing to them."""
        call = expression if isinstance(expression, ast.Call) else None
        dotted = self.names.resolve(call.func if call else expression)
        if dotted in DISABLES:
            flag = call.args[0] if call and call.args else None
            if flag is None and call:
                flag = next((k.value for k in call.keywords if k.arg == "mode"), None)
            return Grad.OFF if flag is None else self._flag(flag, on=Grad.OFF, off=Grad.ON)
        if dotted == "torch.enable_grad":
            return Grad.ON
        if (
            dotted
            in (
                "torch.set_grad_enabled",
                "torch.autograd.set_grad_enabled",
                "torch.autograd.grad_mode.set_grad_enabled",
            )
            and call
            and call.args
        ):
            return self._flag(call.args[0], on=Grad.ON, off=Grad.OFF)
        name = ast.unparse(call.func if call else expression).rpartition(".")[2]
        if not dotted.startswith("torch.") and ("no_grad" in name or "inference_mode" in name):
            return Grad.OFF
        if self._may_switch(expression, name):
            return Grad.UNKNOWN
        if isinstance(expression, ast.IfExp) or (
            call is None and isinstance(expression, ast.Name) and not dotted
        ):
            return Grad.UNKNOWN  # `with ctx:` may be anything
        return None

    def _may_switch(self, expression: ast.expr, name: str) -> bool:
        """Whether a context manager that is not torch's may disable gradients, by its text where the
        project has it, else by its name."""
        if not isinstance(expression, ast.Call) or self.names.resolve(expression.func).startswith(
            "torch."
        ):
            return False
        made = self.types.definition(expression.func)
        if made is None:
            return MAY_EVALUATE.search(name) is not None
        return SWITCHES.search(made.tree.text_of(made.node)) is not None

    def _flag(self, flag: ast.expr, on: Grad, off: Grad) -> Grad:
        if isinstance(flag, ast.Constant):
            return on if flag.value else off
        return Grad.UNKNOWN

    def _thrown_before(self, node: ast.AST, scope: ast.AST) -> bool:
        """Whether `torch.set_grad_enabled(False)` stands as the last such statement before a node."""
        thrown = False
        for call in self.calls.calls_to("torch.set_grad_enabled"):
            if not isinstance(self.tree.parent[call], ast.Expr) or not call.args:
                continue
            outside = self.tree.enclosing_function(call)
            same = outside is None or outside is scope
            if (
                same
                and self.tree.position(call) < self.tree.position(node)
                and isinstance(call.args[0], ast.Constant)
            ):
                thrown = not call.args[0].value
        return thrown

    def mode_at(self, model: ast.expr, node: ast.AST, depth: int = DEEPEST) -> str:
        """ "train", "eval", "" (not known) or "mixed": what `.train()` or `.eval()` was called last
        on a model before a node, in its function, in those that this calls, and in its callers."""
        text = ast.unparse(model)
        function = self.tree.enclosing_function(node)
        last = self.last_mode(text, function or self.tree.root, node, depth)
        if last or not depth:
            return last or self._in_last_round(text, node)
        if function is None:
            return self._in_last_round(text, node) or self._mode_made_in(model, depth)
        return self._mode_from_callers(model, function, depth) or self._mode_made_in(model, depth)

    def _mode_made_in(self, model: ast.expr, depth: int) -> str:
        """The mode in which the function that makes a model hands it over: `self.net = self.load()`."""
        owner = self.classes.self_class(model.value) if isinstance(model, ast.Attribute) else None
        given = (
            self.classes.attributes(owner).get(cast(ast.Attribute, model).attr, []) if owner else []
        )
        made = given[0][0] if len(given) == 1 else self.flow.assigned_value(model)
        there = self.types.definition(made.func) if isinstance(made, ast.Call) else None
        if there is None or isinstance(there.node, ast.ClassDef):
            return ""
        modes = {
            self.of(there.tree).last_mode(each.id, there.node, None, depth - 1)
            for each in there.tree.returns(there.node)
            if isinstance(each, ast.Name)
        }
        return modes.pop() if len(modes) == 1 else ""

    def last_mode(self, text: str, scope: ast.AST, before: ast.AST | None, depth: int) -> str:
        """The mode that a model, given as text, is in after the calls of a scope."""
        last = ""
        for call in self.tree.descendants(scope, ast.Call):
            if self.tree.enclosing_body(call) is not scope:
                continue
            if before is not None and self.tree.position(call) >= self.tree.position(before):
                break
            if before is None or not self.flow.are_exclusive(call, before):
                last = self.mode_after(call, text, depth) or last
        return last

    def mode_after(self, call: ast.Call, text: str, depth: int) -> str:
        """The mode that one call leaves a model in; "" where it does not touch it."""
        function = self.types.definition(call.func)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        switches = name in ("train", "eval") and self._receives(call, text)
        if switches and (function is None or self._is_modules(function)):
            return self.switch(call)
        if function is not None and not isinstance(function.node, ast.ClassDef):
            return self._mode_left(call, function.tree, function.node, text, depth) if depth else ""
        return ""

    def _is_modules(self, method: Definition) -> bool:
        """Whether a method is one of a module, whose own `train` stands for that of nn.Module."""
        owner = method.tree.parent.get(method.node)
        return (
            isinstance(owner, ast.ClassDef)
            and self.types.of(method.tree).kind_of_class(owner) in MODULES
        )

    def _mode_left(
        self, call: ast.Call, tree: Tree, function: Function, text: str, depth: int
    ) -> str:
        """The mode that a function of the project leaves a model in, under the name it has there."""
        for argument in tree.parameters(function):
            given = self.calls.of(tree).bound_argument(call, function, argument.arg)
            if given is not None and ast.unparse(given) == text:
                return self.of(tree).last_mode(argument.arg, function, None, depth - 1)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if owner is not None and self.classes.of(tree).is_method(function):
            part = text.removeprefix(f"{ast.unparse(owner)}.")
            mine = f"{tree.parameters(function)[0].arg}.{part}" if part != text else ""
            return self.of(tree).last_mode(mine, function, None, depth - 1) if mine else ""
        if tree is self.tree and "." not in text:
            return self.last_mode(text, function, None, depth - 1)
        return ""

    def _mode_from_callers(self, model: ast.expr, function: Function, depth: int) -> str:
        if self.types.has_many_callers(function):
            return "mixed"
        calls = self.types.callers(function)
        modes = two_of(self._mode_for(model, function, *each, depth - 1) for each in calls)
        return modes.pop() if len(modes) == 1 else ("" if not modes else "mixed")

    def _mode_for(
        self, model: ast.expr, function: Function, tree: Tree, call: ast.Call, depth: int
    ) -> str:
        """The mode of a model of a function where a call of it stands."""
        root = text_root(model)
        given = self.calls.of(tree).bound_argument(call, function, root) if root else None
        if given is not None and isinstance(model, ast.Name):
            return self.of(tree).mode_at(given, call, depth)
        if (
            root == "self"
            and isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) == "self"
        ) or (given is None and isinstance(model, ast.Name) and self._is_global(model)):
            return self.of(tree).mode_at(model, call, depth)
        return ""

    def _is_global(self, name: ast.Name) -> bool:
        scope = self.names.lookup(name)
        return scope is not None and scope.node is self.tree.root

    def _receives(self, call: ast.Call, text: str) -> bool:
        """Whether a switch is called on a model, given as text, or on what the model then is:
        `model = model.to(device).eval()`."""
        receiver = ast.unparse(unmoved(cast(ast.Attribute, call.func).value))
        match self.tree.statement(call):
            case ast.Assign(targets=targets, value=value):
                pairs = [pair for target in targets for pair in pairs_assigned(target, value)]
                if any(ast.unparse(to) == text and self.is_chained(call, v) for to, v in pairs):
                    return True
        return (
            text == receiver
            or text.startswith(f"{receiver}.")
            or receiver in (f"{text}.module", text.removesuffix(".module"))
        )

    def is_chained(self, call: ast.Call, whole: ast.expr) -> bool:
        """Whether an expression is a call, or that and `.to(device)` and the like behind it."""
        part: ast.expr | None = whole
        while part is not None and part is not call:
            part = unmoved_once(part)
        return part is call

    def switch(self, call: ast.Call) -> str:
        if cast(ast.Attribute, call.func).attr == "eval":
            return "eval"
        flag = call.args[0] if call.args else next((k.value for k in call.keywords), None)
        if flag is None:
            return "train"
        return ("train" if flag.value else "eval") if isinstance(flag, ast.Constant) else "mixed"

    def _in_last_round(self, text: str, node: ast.AST) -> str:
        """A switch later in a loop holds when its next round begins; where only such a one is there,
        the mode is mixed."""
        scope = self.tree.enclosing_body(node)
        loops = [a for a in self.tree.ancestors(node) if isinstance(a, LOOPS)]
        later = [c for loop in loops for c in self.tree.descendants(loop, ast.Call)]
        here = [c for c in later if self.tree.enclosing_body(c) is scope]
        return "mixed" if any(self.mode_after(c, text, 1) for c in here) else ""

    def mode_dependent_layers_of_class(
        self, definition: Definition | None, depth: int = 4, settings: Settings = NO_SETTINGS
    ) -> set[str] | None:
        """Layers of a project's module that act differently in train and eval mode (Dropout,
        BatchNorm ...), by class name; None where its parts are not all known. `settings`
        holds the constants that its constructor gets."""
        if definition is None or not isinstance(definition.node, ast.ClassDef):
            return None
        tree, found, known = definition.tree, set[str](), True
        for values in self.classes.of(tree).attributes(definition.node).values():
            for value, _ in values:
                inner = self.of(tree)._mode_dependent_layers_of(value, depth, settings)
                known &= inner is not None
                found |= inner or set()
        for base in self.classes.of(tree).bases(definition.node):
            inner = self.of(tree).mode_dependent_layers_of_class(base, depth - 1) if depth else None
            known &= inner is not None
            found |= inner or set()
        return found if found or known else None

    def _mode_dependent_layers_of(
        self, value: ast.expr | None, depth: int, settings: Settings = NO_SETTINGS
    ) -> set[str] | None:
        """The same for one expression that builds a layer."""
        if value is None:
            return set()
        found: set[str] = set()
        for call in self._calls_building(value):
            if self._is_left_out(call, settings):
                continue
            made = self.types.value_of(call)
            inner: set[str] | None = None
            if made.definition is not None and made.kind is Kind.MODULE and depth:
                passed = self._constants_given(call, made.definition, settings)
                inner = self.mode_dependent_layers_of_class(made.definition, depth - 1, passed)
            elif depth and self._built_elsewhere(call, made):
                passed = self._constants_given(call, self.types.definition(call.func), settings)
                inner = self._mode_dependent_layers_of(made.call, depth - 1, passed)
            elif made.kind is not Kind.MODULE or made.dotted.startswith("torch.nn."):
                name = made.dotted.rpartition(".")[2]
                inner = {name} if depends_on_mode(made.dotted, call) else set()
            else:
                inner = published_layers(made.dotted)
            if inner is None:
                return None
            found |= inner
        return found

    def _constants_given(
        self, call: ast.Call | None, made: Definition | None, known: Settings = NO_SETTINGS
    ) -> Settings:
        """The constants that a function or constructor gets: its arguments in a call, or their defaults."""
        if made is None or call is None or any(k.arg is None for k in call.keywords):
            return NO_SETTINGS
        owned = isinstance(made.node, ast.ClassDef)
        function = member(made.node, ["__init__"]) if owned else made.node
        if not isinstance(function, FUNCTIONS) or any(
            isinstance(a, ast.Starred) for a in call.args
        ):
            return NO_SETTINGS
        home = self.of(made.tree)
        found: dict[str, object] = {}
        for parameter in made.tree.parameters(function):
            value = self.calls.of(made.tree).bound_argument(call, function, parameter.arg)
            if value is None:
                value = home.flow.default_of_argument(function, parameter)
            if isinstance(value, ast.Constant):
                found[parameter.arg] = value.value
            elif isinstance(value, ast.Name) and value.id in known.values:
                found[parameter.arg] = known.values[value.id]
        return Settings(function, found)

    def _is_left_out(self, call: ast.Call, settings: Settings) -> bool:
        """Whether a layer is not built, or drops nothing, by a constant that the constructor gets:
        `if dropout > 0` where it is 0."""
        if settings.function is None or self.tree.enclosing_function(call) is not settings.function:
            return False
        rates = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("p", "dropout"))]
        if "Dropout" in ast.unparse(call.func) and any(self._is_off(r, settings) for r in rates):
            return True
        return any(
            isinstance(above, ast.If)
            and self.flow.field_of(call, above) == "body"
            and self._is_off(above.test, settings)
            for above in self.tree.ancestors(call)
        )

    def _is_off(self, node: ast.expr, settings: Settings) -> bool:
        """Whether a rate is 0, or a test is not true, by what a constructor gets."""
        match node:
            case ast.Name(id=name):
                return not settings.values.get(name, True)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                owner = self.classes.self_class(node.value)
                values = self.classes.attributes(owner).get(name, []) if owner is not None else []
                return (
                    len(values) == 1
                    and isinstance(values[0][0], ast.Name)
                    and self._is_off(values[0][0], settings)
                )
            case ast.Compare(left=left, ops=[ast.Gt()], comparators=[ast.Constant(value=0 | 0.0)]):
                return self._is_off(left, settings)
        return False

    def _built_elsewhere(self, call: ast.Call, made: Value) -> bool:
        """Whether a call gives a layer that a function of the same file builds."""
        built = made.call if made.kind is Kind.MODULE else None
        return built is not None and built is not call and built in self.tree.parent

    def _calls_building(self, value: ast.expr) -> Iterator[ast.Call]:
        """The calls in an expression that builds a layer, and in what fills the lists that it takes whole."""
        parts: list[ast.expr | None] = [value]
        for node in ast.walk(value):
            match node:
                case ast.Call(func=ast.Attribute(attr="children", value=ast.Name() as whole)):
                    parts += [binding.value for binding in self.names.bindings(whole)]
                case ast.Starred(value=ast.Name(id=name) as listed):
                    parts += [binding.value for binding in self.names.bindings(listed)]
                    for call in self.calls.method_calls("append"):
                        parts += call.args if ast.unparse(self.tree.receiver(call)) == name else []
        yield from (
            n for p in parts if p is not None for n in ast.walk(p) if isinstance(n, ast.Call)
        )

    def grad_switches(self, scope: ast.AST) -> Iterator[bool]:
        """The values that `requires_grad` is set to below a node; an unknown one counts as on."""
        for node in self.tree.descendants(scope, ast.Call, ast.Assign):
            match node:
                case ast.Call(func=ast.Attribute(attr="requires_grad_"), args=args):
                    yield not args or not self.flow.is_constant(args[0], False)
                case ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=value):
                    yield not self.flow.is_constant(value, False)

    def grad_within(self, call: ast.Call) -> Grad:
        """Whether autograd records what a model does in a call: its forward may have a decorator."""
        runs = self.types.resolve_function(call)
        switches = (
            [self.of(runs.tree).grad_mode_set_by(d) for d in runs.node.decorator_list]
            if runs
            else []
        )
        return next((state for state in switches if state is not None), self.grad_at(call))

    def mode_dependent_layers(self, model: ast.expr, depth: int = 3) -> set[str] | None:
        """Layers of a model that act differently in train and eval mode (Dropout, BatchNorm ...), by
        class name; None where its parts are not all known."""
        value = self.types.value_of(model)
        if value.dotted in PARALLEL and value.call in self.tree.parent and value.call.args:
            return self.mode_dependent_layers(value.call.args[0], depth - 1) if depth else None
        if value.definition is not None:
            settings = self._constants_given(value.call, value.definition)
            return self.mode_dependent_layers_of_class(value.definition, settings=settings)
        if value.dotted.startswith("torch.nn."):
            return self._mode_dependent_layers_of(value.call, depth=4)
        return published_layers(value.dotted)

    def parameter_loops(self) -> Iterator[tuple[ast.For, str]]:
        """The loops over the parameters of a module, and what they call one."""
        for loop in self.tree.nodes(ast.For):
            match loop.iter, loop.target:
                case ast.Call(func=ast.Attribute(attr="parameters")), ast.Name(id=name):
                    yield loop, name
                case (
                    ast.Call(func=ast.Attribute(attr="named_parameters")),
                    ast.Tuple(elts=[_, ast.Name(id=name)]),
                ):
                    yield loop, name

    def copied_models(self) -> set[str]:
        """The models, as text, that were given the weights of another one of the file."""
        found = set()
        for call in self.calls.method_calls("load_state_dict"):
            match call.args:
                case [ast.Call(func=ast.Attribute(attr="state_dict", value=other))]:
                    if self.types.kind_of(other) in MODULES:
                        found.add(ast.unparse(self.tree.receiver(call)))
        for copied in self.calls.calls_to("copy.deepcopy"):
            assign = self.tree.parent[copied]
            if isinstance(assign, ast.Assign) and self.types.kind_of(copied) in MODULES:
                found |= {ast.unparse(target) for target in assign.targets}
        return found | {ast.unparse(model) for model in self.averaged_models()}

    def averaged_models(self) -> Iterator[ast.expr]:
        """The models whose parameters a loop takes from another's, where a function is given both:
        `for t, p in zip(target.parameters(), model.parameters()): t.data.copy_(...)`."""
        for call in self.calls.method_calls("copy_"):
            written = self.tree.receiver(call)
            name = written.value if isinstance(written, ast.Attribute) else written
            for binding in (
                self.flow.reaching_definitions(name) if isinstance(name, ast.Name) else ()
            ):
                model = _model_gone_through(binding)
                function = self.tree.enclosing_function(model) if model is not None else None
                if isinstance(model, ast.Name) and function is not None:
                    for tree, each in self.types.callers(function):
                        given = (
                            self.calls.of(tree).bound_argument(each, function, model.id)
                            if tree is self.tree
                            else None
                        )
                        yield from [given] if given is not None else []
                elif model is not None:
                    yield model


def expects_an_error(block: ast.With) -> bool:
    """Whether a test says that a block raises: `pytest.raises`, `self.assertRaisesRegex`."""
    return any("raises" in ast.unparse(item.context_expr).lower() for item in block.items)


def published_layers(dotted: str) -> set[str] | None:
    """The layers of a published model that heed the mode; None where it is not known."""
    return next((set(kept) for of, kept in PUBLISHED if of.match(dotted)), None)


def depends_on_mode(dotted: str, call: ast.Call) -> bool:
    """Whether a layer of torch acts differently in train and eval mode, as it is made."""
    if not dotted.startswith("torch.nn."):
        return False
    name, given = dotted.removeprefix("torch.nn."), {k.arg: k.value for k in call.keywords}
    if "Dropout" in name:
        return not is_number(call.args[0] if call.args else given.get("p"), 0)
    if name in ("LSTM", "GRU", "RNN"):  # drops between its layers only
        layers = call.args[2] if len(call.args) > 2 else given.get("num_layers")
        single = layers is None or is_number(layers, 1)
        return "dropout" in given and not single and not is_number(given["dropout"], 0)
    if name in ("Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"):
        return len(call.args) < 4 and not is_number(given.get("dropout"), 0)
    return "BatchNorm" in name


def is_number(node: ast.expr | None, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def unmoved(node: ast.expr) -> ast.expr:
    """A model without the `.to(device)` and the like around it, which give the model itself."""
    while (inner := unmoved_once(node)) is not None:
        node = inner
    return node


def unmoved_once(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=model)) if name in MODULE_CHAIN:
            return model
    return None


def _model_gone_through(binding: Binding) -> ast.expr | None:
    """The model whose parameters a loop goes through beside another's, as it binds a name to one."""
    match binding:
        case Binding(how="for", value=ast.Call(func=ast.Name(id="zip"), args=models), path=(at,)):
            match models[at] if at < len(models) else None:
                case ast.Call(func=ast.Attribute(attr="parameters", value=model)):
                    return model
    return None
