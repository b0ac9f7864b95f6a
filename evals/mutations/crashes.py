"""Faults that end a program with an exception: sizes, dtypes, dimensions, arguments, names, the graph.

Each operator was written before keng was asked about any of its mutants.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from evals.mutations.operators import FUNCTIONS, Change, Edit, File, is_self, plants

Found = Iterator[Change]
UNDONE: dict[str, re.Pattern[str]] = {}
"""The words of a proposal that undo a fault, by operator, where the text that it replaces does not tell."""
WEIGHTS = re.compile(r"(Linear|Conv[123]d|ConvTranspose[123]d|Embedding)$")
RECURRENT = re.compile(r"(^|\.)(RNN|LSTM|GRU)$")
OPTIMIZER = re.compile(r"(Adam\w*|SGD|RMSprop|Adagrad|Lion|Muon)$")
SCHEDULE = re.compile(r"(LR|Restarts|ReduceLROnPlateau)$")
LOSS = re.compile(r"(cross_entropy|nll_loss|mse_loss|l1_loss|binary_cross_entropy\w*)$")
SHAPING = ("sum", "mean", "softmax", "log_softmax", "argmax", "cat", "stack", "max", "norm",
           "normalize", "logsumexp", "cumsum", "amax")  # fmt: skip


def crashes(
    name: str, sees: str, undone: str = ""
) -> Callable[[Callable[[File], Found]], Callable[[File], Found]]:
    """Registers an operator; `undone` is a regular expression for UNDONE."""
    if undone:
        UNDONE[name] = re.compile(undone)
    return plants(name, "", sees)


def called(call: ast.Call) -> str:
    """The last word of what a call calls."""
    return ast.unparse(call.func).rpartition(".")[2]


def calls(file: File, pattern: str) -> Iterator[ast.Call]:
    yield from (c for c in file.of(ast.Call) if re.fullmatch(pattern, called(c)))


def argument(call: ast.Call, at: int, *names: str) -> ast.expr | None:
    """The argument of a call at a position or by one of its names."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    plain = len(call.args) > at and not any(isinstance(a, ast.Starred) for a in call.args[: at + 1])
    return call.args[at] if plain else None


def changed(file: File, node: ast.expr, text: str) -> Change:
    return Change(node.lineno, (file.replace(node, text),))


def receiver(file: File, call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    inner = file.text(call.func.value)
    return inner if "\n" not in inner else f"({inner})"


def methods(file: File, *names: str) -> Iterator[ast.Call]:
    for call in file.of(ast.Call):
        known = isinstance(call.func, ast.Attribute) and call.func.attr in names
        if known and not re.match(r"(torch|F|nn|np|numpy)\b", ast.unparse(call.func)):
            yield call


def without_method(file: File, *names: str) -> Found:
    for call in methods(file, *names):
        yield changed(file, call, receiver(file, call))


def other_size(node: ast.expr) -> str:
    """Another number than a constant, or what is computed from another expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value // 2 if node.value > 8 and node.value % 2 == 0 else node.value + 1)
    return f"{ast.unparse(node)} + 1" if isinstance(node, (ast.Name, ast.Attribute)) else ""


def resized(file: File, pattern: str, at: int, *names: str) -> Found:
    for call in calls(file, pattern):
        given = argument(call, at, *names)
        text = other_size(given) if given is not None else ""
        if given is not None and text:
            yield changed(file, given, text)


# Sizes


@crashes("linear-in-changed", "Linear")
def linear_in(file: File) -> Found:
    yield from resized(file, "Linear", 0, "in_features")


@crashes("linear-out-changed", "Linear")
def linear_out(file: File) -> Found:
    yield from resized(file, "Linear", 1, "out_features")


@crashes("conv-in-changed", "Conv")
def conv_in(file: File) -> Found:
    yield from resized(file, "Conv[12]d", 0, "in_channels")


@crashes("conv-out-changed", "Conv")
def conv_out(file: File) -> Found:
    yield from resized(file, "Conv[12]d", 1, "out_channels")


@crashes("norm-width-changed", "Norm")
def norm_width(file: File) -> Found:
    yield from resized(file, "BatchNorm[12]d|LayerNorm", 0, "num_features", "normalized_shape")


@crashes("recurrent-input-changed", "RNN LSTM GRU")
def recurrent_input(file: File) -> Found:
    yield from resized(file, "RNN|LSTM|GRU|LSTMCell|GRUCell", 0, "input_size")


@crashes("embedding-width-changed", "Embedding")
def embedding_width(file: File) -> Found:
    yield from resized(file, "Embedding", 1, "embedding_dim")


@crashes("embedding-too-small", "Embedding")
def embedding_rows(file: File) -> Found:
    for call in calls(file, "Embedding"):
        given = argument(call, 0, "num_embeddings")
        if given is not None and not isinstance(given, ast.BinOp):
            yield changed(file, given, f"{ast.unparse(given)} // 4")


@crashes("heads-changed", "MultiheadAttention TransformerEncoderLayer heads")
def heads(file: File) -> Found:
    yield from resized(
        file, "MultiheadAttention|Transformer(En|De)coderLayer", 1, "num_heads", "nhead"
    )


@crashes("padding-dropped", "padding=")
def padding_dropped(file: File) -> Found:
    for call in calls(file, r"Conv[12]d|MaxPool2d"):
        for keyword in call.keywords:
            if keyword.arg == "padding":
                yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


@crashes("reshape-number-changed", "view( reshape( unflatten(")
def reshape_number(file: File) -> Found:
    for call in methods(file, "view", "reshape", "unflatten"):
        for each in call.args:
            if isinstance(each, ast.Constant) and isinstance(each.value, int) and each.value > 1:
                yield changed(file, each, str(each.value + 1))


@crashes("size-of-other-dimension", ".size( .shape[")
def size_of_other_dimension(file: File) -> Found:
    for call in methods(file, "size"):
        match call.args:
            case [ast.Constant(value=0 | 1 as n) as at]:
                yield changed(file, at, str(1 - int(n)))
    for node in file.of(ast.Subscript):
        match node:
            case ast.Subscript(
                value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0 | 1 as n) as at
            ):
                yield changed(file, at, str(1 - int(n)))


@crashes("division-not-floored", "//", undone=r"//|int\(")
def division_not_floored(file: File) -> Found:
    for node in file.of(ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            yield changed(file, node, f"{file.text(node.left)} / {file.text(node.right)}")


# Classes and indices


@crashes("one-class-less", "Linear")
def one_class_less(file: File) -> Found:
    for call in calls(file, "Linear"):
        given = argument(call, 1, "out_features")
        if isinstance(given, ast.Constant) and given.value == 10:
            yield changed(file, given, "9")
    for made in file.of(ast.Assign):
        for target in made.targets:
            named = isinstance(target, ast.Name) and re.search(r"(?i)class|^TAGS$", target.id)
            match made.value:
                case ast.Constant(value=int() as n) if named and n > 1:
                    yield changed(file, made.value, str(n - 1))


@crashes("one-hot-too-small", "one_hot")
def one_hot(file: File) -> Found:
    for call in calls(file, "one_hot"):
        given = argument(call, 1, "num_classes")
        if given is not None:
            yield changed(file, given, f"{ast.unparse(given)} - 1")


@crashes(
    "labels-shifted", "loss cross_entropy", undone=r"[+-] 1|from 0|start at 0|begin at 0|0-based"
)
def labels_shifted(file: File) -> Found:
    for call in file.of(ast.Call):
        classes = re.search(
            r"(?i)cross_?entropy|nll_?loss|criterion|loss_f", ast.unparse(call.func)
        )
        if classes and len(call.args) == 2:
            yield changed(file, call.args[1], f"{file.text(call.args[1])} + 1")


@crashes("index-too-far", "range( enumerate(", undone=r"\[\w+\]|- 1")
def index_too_far(file: File) -> Found:
    for loop in file.of(ast.For):
        counted = isinstance(loop.iter, ast.Call) and called(loop.iter) == "range"
        if counted and isinstance(loop.target, ast.Name):
            for node in file.below(loop, ast.Subscript):
                if isinstance(node.slice, ast.Name) and node.slice.id == loop.target.id:
                    yield changed(file, node.slice, f"{node.slice.id} + 1")


@crashes("range-too-long", "range(len", undone=r"range\(len\([\w.]+\)\)|- 1")
def range_too_long(file: File) -> Found:
    for call in calls(file, "range"):
        match call.args:
            case [ast.Call(func=ast.Name(id="len"))]:
                yield changed(file, call.args[0], f"{file.text(call.args[0])} + 1")


# Shapes and dimensions


@crashes("flatten-dropped", "latten(")
def flatten_dropped(file: File) -> Found:
    yield from without_method(file, "flatten")
    for call in calls(file, "Flatten"):
        above = file.parent[call]
        if isinstance(above, ast.Call) and called(above) == "Sequential":
            yield Change(call.lineno, (file.remove_argument(above, call),))


@crashes("view-dropped", "view( reshape(")
def view_dropped(file: File) -> Found:
    yield from without_method(file, "view", "reshape")


@crashes("unsqueeze-dropped", "unsqueeze( None]")
def unsqueeze_dropped(file: File) -> Found:
    yield from without_method(file, "unsqueeze")
    for node in file.of(ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        new = [p for p in parts if isinstance(p, ast.Constant) and p.value is None]
        whole = [p for p in parts if ast.unparse(p) in (":", "...")]
        if new and len(new) + len(whole) == len(parts):
            yield changed(file, node, file.text(node.value))


@crashes("squeeze-dropped", ".squeeze(")
def squeeze_dropped(file: File) -> Found:
    yield from without_method(file, "squeeze")


@crashes("permute-dropped", "permute( transpose( .T .mT")
def permute_dropped(file: File) -> Found:
    yield from without_method(file, "permute", "transpose", "movedim")
    for node in file.of(ast.Attribute):
        if node.attr in ("T", "mT"):
            yield changed(file, node, file.text(node.value))


@crashes("dim-changed", "dim (1) (-1)")
def dim_changed(file: File) -> Found:
    for call in file.of(ast.Call):
        if called(call) not in SHAPING:
            continue
        of_tensor = isinstance(call.func, ast.Attribute) and not re.match(
            r"(torch|F)\.", ast.unparse(call.func)
        )
        given = argument(call, 0 if of_tensor else 1, "dim")
        match given:
            case ast.Constant(value=int() as n):
                yield changed(file, given, "2" if n == 1 else "0" if n == -1 else str(n + 1))


@crashes("keepdim-dropped", "keepdim")
def keepdim_dropped(file: File) -> Found:
    for call in file.of(ast.Call):
        for keyword in call.keywords:
            if keyword.arg == "keepdim":
                yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


@crashes("batch-first-dropped", "batch_first")
def batch_first_dropped(file: File) -> Found:
    for call in file.of(ast.Call):
        for keyword in call.keywords:
            if keyword.arg == "batch_first":
                yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


@crashes(
    "tuple-not-unpacked", "RNN LSTM GRU rnn lstm gru attention attn", undone=r"\[0\]|, _|unpack"
)
def tuple_not_unpacked(file: File) -> Found:
    for made in file.of(ast.Assign):
        match made.targets, made.value:
            case [ast.Tuple(elts=[ast.Name() as first, ast.Name(id=second)])], ast.Call(
                func=ast.Attribute()
            ) if second.startswith("_"):
                yield Change(made.lineno, (file.replace(made.targets[0], first.id),))
    for node in file.of(ast.Subscript):
        match node:
            case ast.Subscript(value=ast.Call(func=func), slice=ast.Constant(value=0)) if is_self(
                func
            ) or isinstance(func, ast.Subscript):
                yield changed(file, node, file.text(node.value))


# Dtypes


@crashes("float-dropped", "float")
def float_dropped(file: File) -> Found:
    yield from without_method(file, "float")
    yield from _without_dtype(file, "float32", "float")


@crashes("long-dropped", "long int64")
def long_dropped(file: File) -> Found:
    yield from without_method(file, "long")
    yield from _without_dtype(file, "long", "int64")


def _without_dtype(file: File, *names: str) -> Found:
    for call in file.of(ast.Call):
        for keyword in call.keywords:
            dtype = keyword.value
            if keyword.arg == "dtype" and isinstance(dtype, ast.Attribute) and dtype.attr in names:
                yield Change(keyword.lineno, (file.remove_argument(call, keyword),))
        match call:
            case ast.Call(func=ast.Attribute(attr="to"), args=[ast.Attribute(attr=attr)]):
                if attr in names:
                    yield changed(file, call, receiver(file, call))


@crashes("float-becomes-double", "float32 float()", undone=r"float32|\.float\(|torch\.float\b")
def float_becomes_double(file: File) -> Found:
    for node in file.of(ast.Attribute):
        if node.attr == "float32":
            yield changed(file, node, f"{file.text(node.value)}.float64")
    for call in methods(file, "float"):
        yield changed(file, call, f"{receiver(file, call)}.double()")


@crashes("long-becomes-float", "long int64 target", undone=r"long|int64")
def long_becomes_float(file: File) -> Found:
    for call in file.of(ast.Call):
        if LOSS.search(called(call)) and "entropy" in called(call) and len(call.args) >= 2:
            yield changed(file, call.args[1], f"{file.text(call.args[1])}.float()")
    for call in methods(file, "long"):
        yield changed(file, call, f"{receiver(file, call)}.float()")


# Arguments and names


def functions(file: File) -> dict[str, ast.FunctionDef]:
    """The functions of a file that have a name of their own; a class by its constructor."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for function in file.of(ast.FunctionDef):
        above = file.parent[function]
        name = above.name if isinstance(above, ast.ClassDef) else function.name
        if isinstance(above, ast.ClassDef) and function.name != "__init__":
            name = function.name
        found.setdefault(name, []).append(function)
    return {name: each[0] for name, each in found.items() if len(each) == 1}


@crashes("argument-dropped", "def", undone=r"\bmissing\b|\bpass\b|\brequired\b")
def argument_dropped(file: File) -> Found:
    known = functions(file)
    for call in file.of(ast.Call):
        function = known.get(called(call))
        if function is None or not call.args or call.keywords:
            continue
        required = len(function.args.args) - len(function.args.defaults)
        if required and not any(isinstance(a, ast.Starred) for a in call.args):
            yield Change(call.lineno, (file.remove_argument(call, call.args[-1]),))


@crashes("argument-added", "def", undone=r"positional argument|\btakes\b|\bgiven\b")
def argument_added(file: File) -> Found:
    known = functions(file)
    for call in file.of(ast.Call):
        function = known.get(called(call))
        if function is not None and call.args and not function.args.vararg:
            end = file.end(call.args[-1])
            yield Change(call.args[-1].lineno, (Edit(end, end, ", 2, 2, 2"),))


@crashes("arguments-swapped", "(", undone=r"order|swap|exchang|revers|by name|keyword")
def arguments_swapped(file: File) -> Found:
    for call in file.of(ast.Call):
        match call.args:
            case [ast.Name() as one, ast.Name() as other, *_] if one.id != other.id:
                edits = (file.replace(one, other.id), file.replace(other, one.id))
                yield Change(call.lineno, edits)


@crashes("keyword-dropped", "class")
def keyword_dropped(file: File) -> Found:
    known = functions(file)
    for call in file.of(ast.Call):
        for keyword in call.keywords if called(call) in known else ():
            yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


def misspelt(word: str) -> str:
    """With two letters in the middle exchanged, or the last one dropped."""
    at = next((n for n in range(1, len(word) - 1) if word[n] != word[n + 1]), 0)
    if not at or len(word) < 3:
        return word[:-1]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@crashes("key-misspelt", "[")
def key_misspelt(file: File) -> Found:
    for node in file.of(ast.Subscript):
        match node.slice, node.ctx:
            case ast.Constant(value=str() as key), ast.Load() if len(key) > 2:
                yield changed(file, node.slice, f'"{misspelt(key)}"')


@crashes("attribute-misspelt", "self.")
def attribute_misspelt(file: File) -> Found:
    for node in file.of(ast.Attribute):
        if is_self(node) and isinstance(node.ctx, ast.Load) and len(node.attr) > 2:
            inside = file.function(node)
            if inside is not None and inside.name != "__init__":
                yield changed(file, node, f"self.{misspelt(node.attr)}")


@crashes("optimizer-option-misnamed", "lr=")
def optimizer_option(file: File) -> Found:
    names = {"lr": "learning_rate", "weight_decay": "decay", "momentum": "beta", "betas": "beta"}
    for call in file.of(ast.Call):
        for keyword in call.keywords if OPTIMIZER.search(called(call)) else ():
            if keyword.arg in names:
                text = f"{names[keyword.arg]}={file.text(keyword.value)}"
                yield Change(keyword.lineno, (file.replace(keyword, text),))


@crashes("schedule-option-misnamed", "LR")
def schedule_option(file: File) -> Found:
    for call in file.of(ast.Call):
        for keyword in call.keywords if SCHEDULE.search(called(call)) else ():
            if keyword.arg and len(keyword.arg) > 2:
                other = keyword.arg.lower().replace("_", "")
                other = other if other != keyword.arg else f"{other}s"
                yield Change(
                    keyword.lineno,
                    (file.replace(keyword, f"{other}={file.text(keyword.value)}"),),
                )


@crashes("optimizer-of-module", "parameters()")
def optimizer_of_module(file: File) -> Found:
    for call in file.of(ast.Call):
        if OPTIMIZER.search(called(call)) and call.args:
            match call.args[0]:
                case ast.Call(func=ast.Attribute(attr="parameters")) as given:
                    yield changed(file, given, receiver(file, given))


@crashes("parentheses-dropped", "()", undone=r"\w\(\)")
def parentheses_dropped(file: File) -> Found:
    for call in methods(file, "item", "parameters", "size", "mean", "sum", "state_dict"):
        if not call.args and not call.keywords and not isinstance(file.parent[call], ast.Expr):
            yield changed(file, call, file.text(call.func))


# Modules


@crashes("super-init-removed", "super()")
def super_init_removed(file: File) -> Found:
    for statement in file.of(ast.Expr):
        if ast.unparse(statement.value) == "super().__init__()":
            yield Change(statement.lineno, (file.remove(statement),))


@crashes("layer-removed", "self.")
def layer_removed(file: File) -> Found:
    for made in _layers(file):
        yield Change(made.lineno, (file.replace(made, "pass"),))


@crashes(
    "layer-is-none",
    "self.",
    undone=r"\bNone\b.*\b(set|assigned|made|from|is)\b|Linear|Conv|Norm|Embedding|Sequential",
)
def layer_is_none(file: File) -> Found:
    for made in _layers(file):
        yield changed(file, made.value, "None")


def _layers(file: File) -> Iterator[ast.Assign]:
    for made in file.of(ast.Assign):
        inside = file.function(made)
        if inside is not None and inside.name == "__init__" and is_self(made.targets[0]):
            called_by = ast.unparse(made.value.func) if isinstance(made.value, ast.Call) else ""
            if re.match(r"(torch\.)?nn\.[A-Z]", called_by):
                yield made


@crashes("list-for-module-list", "ModuleList( ModuleDict(")
def list_for_module_list(file: File) -> Found:
    for call in calls(file, "ModuleList|ModuleDict"):
        if len(call.args) == 1:
            yield changed(file, call, file.text(call.args[0]))


@crashes("forward-returns-nothing", "def forward")
def forward_returns_nothing(file: File) -> Found:
    for function in file.of(ast.FunctionDef):
        last = function.body[-1]
        if function.name == "forward" and isinstance(last, ast.Return) and last.value is not None:
            value = file.start(last.value)
            yield Change(last.lineno, (Edit(file.start(last), value, "_ = "),))


@crashes("prefix-in-state-dict", "load_state_dict(", undone=r"removeprefix|module\.|prefix")
def prefix_in_state_dict(file: File) -> Found:
    for call in methods(file, "load_state_dict"):
        if len(call.args) == 1 and "optim" not in receiver(file, call):
            text = f'{{"module." + k: v for k, v in {file.text(call.args[0])}.items()}}'
            yield changed(file, call.args[0], text)


@crashes("cuda-assumed", "nn.", undone=r"cpu|is_available")
def cuda_assumed(file: File) -> Found:
    known = {c.name for c in file.of(ast.ClassDef) if "Module" in ast.unparse(c)[:200]}
    for made in file.of(ast.Assign):
        call = made.value
        at_top = file.function(made) is None
        if at_top and isinstance(call, ast.Call) and called(call) in {*known, "Sequential"}:
            yield changed(file, call, f'{file.text(call)}.to("cuda")')


# The graph


@crashes("backward-twice", "backward()", undone=r"twice|second|once|retain_graph|again")
def backward_twice(file: File) -> Found:
    for statement in _statements(file, r"[\w.]+\.backward\(\)"):
        text = file.text(statement)
        edit = Edit(file.end(statement), file.end(statement), f"\n{file.indent(statement)}{text}")
        yield Change(statement.lineno, (edit,))


def _statements(file: File, pattern: str) -> Iterator[ast.Expr]:
    for statement in file.of(ast.Expr):
        if re.fullmatch(pattern, ast.unparse(statement)):
            yield statement


@crashes("sum-in-place", "+", undone=r"= \w+ \+|in.?place")
def sum_in_place(file: File) -> Found:
    for made in file.of(ast.Assign):
        match made.targets, made.value:
            case [ast.Name(id=name)], ast.BinOp(left=ast.Name(id=left), op=ast.Add(), right=right):
                if name == left:
                    edit = Edit(file.start(made), file.start(right), f"{name} += ")
                    yield Change(made.lineno, (edit,))


@crashes(
    "activation-changed-in-place",
    "sigmoid tanh exp softmax",
    undone=r"in.?place|clone|[*]= |= \w+ [*]|mul\(",
)
def activation_changed(file: File) -> Found:
    for made in file.of(ast.Assign):
        match made.targets, made.value:
            case [ast.Name(id=name)], ast.Call() as call:
                if called(call) in ("sigmoid", "tanh", "exp", "softmax", "sqrt", "relu"):
                    end = file.end(made)
                    edit = Edit(end, end, f"\n{file.indent(made)}{name}.mul_(2)")
                    yield Change(made.lineno + 1, (edit,))


@crashes("no-grad-removed", "no_grad()")
def no_grad_removed(file: File) -> Found:
    for block in file.of(ast.With):
        if [ast.unparse(i.context_expr) for i in block.items] == ["torch.no_grad()"]:
            expression = block.items[0].context_expr
            yield changed(file, expression, "torch.enable_grad()")
    for function in file.of(ast.FunctionDef):
        for decorator in function.decorator_list:
            if ast.unparse(decorator) == "torch.no_grad()":
                yield changed(file, decorator, "torch.enable_grad()")


@crashes("detach-dropped", "detach() no_grad")
def detach_dropped(file: File) -> Found:
    yield from without_method(file, "detach")


@crashes("item-becomes-numpy", "item()", undone=r"detach|item")
def item_becomes_numpy(file: File) -> Found:
    for call in methods(file, "item"):
        yield changed(file, call, f"{receiver(file, call)}.numpy()")


@crashes("loss-detached", "backward", undone=r"detach|no_grad")
def loss_detached(file: File) -> Found:
    for statement in _statements(file, r"[\w.]+\.backward\(\)"):
        call = statement.value
        assert isinstance(call, ast.Call)
        edit = file.replace(statement, f"{receiver(file, call)}.detach().backward()")
        yield Change(statement.lineno, (edit,))


@crashes("loss-not-reduced", "loss cross_entropy", undone=r"mean|sum|reduction")
def loss_not_reduced(file: File) -> Found:
    for call in file.of(ast.Call):
        functional = LOSS.search(called(call)) and len(call.args) == 2 and not call.keywords
        if functional or (re.search("(CrossEntropy|MSE|L1)Loss", called(call)) and not call.args):
            end = file.end(call) - 1
            comma = ", " if call.args or call.keywords else ""
            yield Change(call.lineno, (Edit(end, end, f'{comma}reduction="none"'),))


@crashes("mean-dropped", "mean() sum()", undone=r"mean|sum|one element|single")
def mean_dropped(file: File) -> Found:
    for call in methods(file, "mean", "sum"):
        if not call.args and not call.keywords:
            yield changed(file, call, receiver(file, call))


# Data


@crashes("tensors-left-in-list", "stack( cat( tensor(")
def tensors_in_list(file: File) -> Found:
    for call in calls(file, "stack|cat|tensor|as_tensor|from_numpy"):
        if ast.unparse(call.func).startswith("torch.") and call.args:
            yield changed(file, call, file.text(call.args[0]))


@crashes("collate-dropped", "collate_fn")
def collate_dropped(file: File) -> Found:
    for call in calls(file, "DataLoader"):
        for keyword in call.keywords:
            if keyword.arg == "collate_fn":
                yield Change(keyword.lineno, (file.remove_argument(call, keyword),))


@crashes(
    "sample-too-many",
    "TensorDataset(",
    undone=r"\[:-1\]|same (length|size|number)|first dimension|samples",
)
def sample_too_many(file: File) -> Found:
    for call in calls(file, "TensorDataset"):
        if len(call.args) > 1:
            yield changed(file, call.args[-1], f"{file.text(call.args[-1])}[:-1]")


@crashes(
    "row-not-padded",
    "__getitem__",
    undone=r"pad|same (length|shape|size)|equal (length|shape|size)|collate",
)
def row_not_padded(file: File) -> Found:
    for function in file.of(ast.FunctionDef):
        last = function.body[-1]
        index = function.args.args[-1].arg if function.args.args else ""
        if function.name == "__getitem__" and isinstance(last, ast.Return):
            match last.value:
                case ast.Tuple(elts=[first, *_]) | (ast.Subscript() as first):
                    yield changed(file, first, f"{file.text(first)}[: 2 + {index} % 3]")


@crashes("batch-of-other-size", "randn( zeros( randint(")
def batch_of_other_size(file: File) -> Found:
    for call in calls(file, "zeros|randn|randint|rand|ones"):
        inside = file.above(call, *FUNCTIONS)
        first = call.args[0] if call.args else None
        size = first.elts[0] if isinstance(first, ast.Tuple) and first.elts else first
        if inside is not None and size is not None and len(call.args) > 1:
            counted = ast.unparse(size)
            if re.match(r"len\(|batch|\w+\.size|\w+\.shape|b$|B$|n$", counted):
                yield changed(file, size, f"{file.text(size)} + 1")
