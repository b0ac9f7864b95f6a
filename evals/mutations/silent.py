"""Faults that let a program run to its end, with another result. The pitfalls that an operator accepts were
chosen from the titles of the pages, before keng was run on any program with a fault."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from evals.mutations import flow
from evals.mutations.operators import OPERATORS
from evals.mutations.texts import LOOPS, Mutant, Text, plants_in_text

Found = Iterator[Mutant | None]
SHARED = (
    "zero-grad-removed zero-grad-after-backward accumulation-undivided clip-after-step "
    "clip-before-backward schedule-in-batch-loop parameters-left-out no-grad-around-forward "
    "softmax-in-loss softmax-in-model sigmoid-in-loss log-dropped best-state-uncopied"
).split()
"""Operators of `flow` that are planted here too."""
_BEFORE = set(OPERATORS)
LOSS = re.compile(r"loss|objective|elbo|penalty|entropy|_kl|^kl", re.IGNORECASE)
AVERAGE = re.compile(r"ema|avera|shadow|swa|target|momentum|slow", re.IGNORECASE)
MASK = re.compile(r"mask|keep|valid|pad|real|causal", re.IGNORECASE)
WITH_DIM = "softmax log_softmax mean sum cat argmax max logsumexp normalize cumsum std var".split()


def _into_loss(file: Text, node: ast.AST) -> bool:
    """Whether a node is in the value of an assignment to a loss, or goes backward at once."""
    match file.statement(node):
        case ast.Assign(targets=[target]) | ast.AugAssign(target=target):
            return bool(LOSS.search(ast.unparse(target)))
        case ast.Return():
            return bool(LOSS.search(file.name_of_function(node)))
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="backward"))):
            return True
    return False


def _in_training(file: Text, node: ast.AST) -> bool:
    """Whether a loop around a node goes backward."""
    return any(isinstance(a, LOOPS) and file.backwards(a) for a in file.above(node))


def _evaluation_loops(file: Text) -> Iterator[ast.AST]:
    for loop in ast.walk(file.root):
        if isinstance(loop, LOOPS) and not file.backwards(loop) and not _in_training(file, loop):
            yield loop


# The order of the steps, schedules and optimizers


@plants_in_text("schedule-step-removed", "scheduler-never-stepped", "sched")
def schedule_step_removed(file: Text) -> Found:
    for call in file.methods("step"):
        if "sched" in file.receiver(call).lower() and file.is_statement(call):
            yield file.removed(file.statement(call))


@plants_in_text(
    "schedule-step-after-epoch", "schedule-longer-than-run scheduler-never-stepped", "sched"
)
def schedule_step_after_epoch(file: Text) -> Found:
    """Behind the loop over batches that it is in."""
    for call in file.methods("step"):
        loop = file.loop(call)
        if "sched" not in file.receiver(call).lower() or not file.is_statement(call):
            continue
        if loop is not None and any(isinstance(a, LOOPS) for a in file.above(loop)):
            yield file.moved(file.statement(call), loop, behind=True)


@plants_in_text("one-optimizer-idle", "step-not-taken parameters-not-optimized", "step()")
def one_optimizer_idle(file: Text) -> Found:
    """One of two optimizers never steps."""
    steps = file.optimizer_steps(file.root)
    if len({file.receiver(c) for c in steps}) > 1:
        for call in steps:
            if file.is_statement(call):
                yield file.removed(file.statement(call))


@plants_in_text("optimizer-in-loop", "optimizer-created-in-loop", "optim")
def optimizer_in_loop(file: Text) -> Found:
    """Before the first statement of the loop over epochs."""
    for made in ast.walk(file.root):
        match made:
            case ast.Assign(targets=[ast.Name()], value=ast.Call(func=f)) if re.search(
                r"optim\.\w+$", ast.unparse(f)
            ):
                for loop in file.block(made):
                    if isinstance(loop, LOOPS) and file.backwards(loop):
                        yield file.moved(made, loop.body[0], behind=False)


@plants_in_text("seed-in-loop", "seed-set-in-loop", "manual_seed")
def seed_in_loop(file: Text) -> Found:
    for loop in ast.walk(file.root):
        if isinstance(loop, LOOPS) and file.backwards(loop) and not _in_training(file, loop):
            first = loop.body[0]
            if file.is_alone(first):
                rows = list(file.lines)
                rows.insert(first.lineno - 1, f"{file.indent(first)}torch.manual_seed(0)\n")
                yield Mutant(first.lineno, "".join(rows))


def _scaled_keyword(file: Text, name: str, by: float) -> Found:
    for call in file.calls:
        for keyword in call.keywords:
            match keyword.value:
                case ast.Constant(value=float(number)) if keyword.arg == name and number:
                    yield file.replaced((keyword.value, repr(number * by)))


@plants_in_text("rate-100-times", "loss-rises gradients-explode-or-vanish nan-loss", "lr=")
def rate_100_times(file: Text) -> Found:
    yield from _scaled_keyword(file, "lr", 100)


@plants_in_text("rate-a-hundredth", "", "lr=")
def rate_a_hundredth(file: Text) -> Found:
    yield from _scaled_keyword(file, "lr", 0.01)


@plants_in_text("decay-100-times", "", "weight_decay=")
def decay_100_times(file: Text) -> Found:
    yield from _scaled_keyword(file, "weight_decay", 100)


# Modes


@plants_in_text("eval-call-removed", "eval-mode-missing batchnorm-updates-in-forward", "eval()")
def eval_call_removed(file: Text) -> Found:
    for call in file.methods("eval"):
        if file.is_statement(call):
            yield file.removed(file.statement(call))
        elif not call.args:
            yield file.replaced((call, file.source(file.inner(call))))


@plants_in_text("train-call-removed", "train-mode-not-restored", "train()")
def train_call_removed(file: Text) -> Found:
    for call in file.methods("train"):
        if file.is_statement(call) and file.loop(call) is not None:
            yield file.removed(file.statement(call))


@plants_in_text("dropout-always-on", "functional-dropout-always-on", "self.training")
def dropout_always_on(file: Text) -> Found:
    for node in ast.walk(file.root):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "self.training":
            yield file.replaced((node, "True"))


# Gradients


@plants_in_text(
    "detach-dropped",
    "gradient-leaks-into-frozen advantage-with-graph target-requires-grad loss-keeps-graph",
    "detach()",
)
def detach_dropped(file: Text) -> Found:
    for call in file.methods("detach"):
        yield file.replaced((call, file.source(file.inner(call))))


@plants_in_text(
    "no-grad-dropped",
    "gradient-leaks-into-frozen advantage-with-graph target-requires-grad",
    "no_grad",
)
def no_grad_dropped(file: Text) -> Found:
    """Around what a training loop computes."""
    for block in ast.walk(file.root):
        if isinstance(block, ast.With) and len(block.items) == 1:
            named = re.search(r"no_grad\(\)$", ast.unparse(block.items[0].context_expr))
            if named and _in_training(file, block):
                yield file.unwrapped(block)


@plants_in_text("term-detached", "component-without-gradient auxiliary-loss-unused", "backward")
def term_detached(file: Text) -> Found:
    """One term of a loss."""
    for node in ast.walk(file.root):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _into_loss(file, node):
            for side in (node.left, node.right):
                if isinstance(side, (ast.Name, ast.Call)):
                    yield file.replaced((side, f"{file.source(side)}.detach()"))


@plants_in_text(
    "hidden-detached", "component-without-gradient trained-under-no-grad", "def forward"
)
def hidden_detached(file: Text) -> Found:
    """The result of a layer in a forward that hands it on."""
    for _, forward in flow._networks(file):
        for statement in forward.body:
            match statement:
                case ast.Assign(targets=[ast.Name()], value=ast.Call() as value):
                    if "self." in ast.unparse(value):
                        yield file.replaced((value, f"{file.source(value)}.detach()"))


@plants_in_text("clone-dropped", "kept-state-not-copied", "clone()")
def clone_dropped(file: Text) -> Found:
    """`clone()`, of kept weights or of a sample that is changed."""
    for call in file.methods("clone"):
        yield file.replaced((call, file.source(file.inner(call))))


@plants_in_text("first-layer-left-out", "parameters-not-optimized", "parameters()")
def first_layer_left_out(file: Text) -> Found:
    """The first two parameters of what an optimizer is given."""
    for call in file.calls:
        given = call.args[0] if call.args else None
        if not flow.OPTIMIZER.search(ast.unparse(call.func)) or not isinstance(given, ast.Call):
            continue
        if ast.unparse(given).endswith(".parameters()"):
            yield file.replaced((given, f"list({file.source(given)})[2:]"))


@plants_in_text("freezing-dropped", "frozen-parameters-move", "requires_grad")
def freezing_dropped(file: Text) -> Found:
    for call in file.methods("requires_grad_"):
        if [ast.unparse(a) for a in call.args] == ["False"]:
            if file.is_statement(call):
                yield file.removed(file.statement(call))
            else:
                yield file.replaced((call, file.source(file.inner(call))))
    for node in ast.walk(file.root):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(attr="requires_grad")], value=ast.Constant(value=False)
            ):
                yield file.replaced((node.value, "True"))


# What enters a loss


@plants_in_text("sum-for-mean", "loss-part-summed initial-loss-high", "loss")
def sum_for_mean(file: Text) -> Found:
    for call in file.methods("mean"):
        if not call.args and not call.keywords and _into_loss(file, call):
            yield file.replaced((call, f"{file.source(file.inner(call))}.sum()"))
    for call in file.calls:
        losses = re.search(r"(_loss|entropy|kl_div|_logits)$", ast.unparse(call.func))
        if losses and len(call.args) >= 2 and not any(k.arg == "reduction" for k in call.keywords):
            yield file.replaced((call, f'{file.source(call)[:-1]}, reduction="sum")'))


@plants_in_text("sign-in-loss", "loss-rises", "loss")
def sign_in_loss(file: Text) -> Found:
    """Of a term of a loss: `-` for `+` and the other way."""
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                if _into_loss(file, node) and not isinstance(right, ast.Constant):
                    sign = "-" if isinstance(op, ast.Add) else "+"
                    text = f"{file.source(left)} {sign} {file.source(right)}"
                    yield file.replaced((node, text))


@plants_in_text("negation-dropped", "loss-rises", "loss")
def negation_dropped(file: Text) -> Found:
    for node in ast.walk(file.root):
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=value) if not isinstance(value, ast.Constant):
                if _into_loss(file, node):
                    yield file.replaced((node, f"({file.source(value)})"))


@plants_in_text("loss-arguments-swapped", "kl-div-wants-log", "kl")
def loss_arguments_swapped(file: Text) -> Found:
    for call in file.calls:
        if re.search(r"(kl_div|kl_divergence)$", ast.unparse(call.func)) and len(call.args) >= 2:
            first, second = call.args[:2]
            yield file.replaced((first, file.source(second)), (second, file.source(first)))


@plants_in_text("shift-off-by-one", "labels-not-shifted labels-shifted-twice", "1:")
def shift_off_by_one(file: Text) -> Found:
    """`[:, :-1]` and `[:, 1:]` are one and the same."""
    for node in ast.walk(file.root):
        if isinstance(node, ast.Slice) and node.step is None:
            bounds = tuple(ast.unparse(b) if b else "" for b in (node.lower, node.upper))
            if bounds == ("1", ""):
                yield file.replaced((node, ":-1"))  # type: ignore[arg-type]
            if bounds == ("", "-1"):
                yield file.replaced((node, "1:"))  # type: ignore[arg-type]


@plants_in_text("rows-apart", "inputs-and-labels-shuffled-separately loss-never-changes", "[")
def rows_apart(file: Text) -> Found:
    """Targets are taken by another permutation than inputs."""
    for call in file.calls:
        match call:
            case ast.Call(func=f, args=[ast.Name(), ast.Name(id=targets) as given]):
                if ast.unparse(f).endswith("TensorDataset"):
                    new = f"{targets}[torch.randperm(len({targets}))]"
                    yield file.replaced((given, new))
    for statement in ast.walk(file.root):
        if not isinstance(statement, (ast.Assign, ast.Expr)):
            continue
        taken = [n for n in ast.walk(statement) if isinstance(n, ast.Subscript)
                 and isinstance(n.slice, ast.Name) and isinstance(n.value, ast.Name)
                 and isinstance(n.ctx, ast.Load)]  # fmt: skip
        by = {ast.unparse(n.slice) for n in taken}
        if len(taken) == 2 and len(by) == 1 and len({ast.unparse(n.value) for n in taken}) == 2:
            last = max(taken, key=lambda n: (n.lineno, n.col_offset))
            of, at = ast.unparse(last.value), ast.unparse(last.slice)
            yield file.replaced((last, f"{of}[{at}][torch.randperm(len({of}[{at}]))]"))


@plants_in_text("padding-learned", "padding-in-loss", "ignore_index -100")
def padding_learned(file: Text) -> Found:
    for call in file.calls:
        for keyword in call.keywords:
            if keyword.arg == "ignore_index":
                yield _without_keyword(file, call, keyword)
    for node in ast.walk(file.root):
        match node:
            case ast.Assign(
                targets=[ast.Subscript()], value=ast.UnaryOp(operand=ast.Constant(100))
            ):
                yield file.removed(node)


def _without_keyword(file: Text, call: ast.Call, dropped: ast.keyword) -> Mutant:
    parts = [file.source(a) for a in call.args]
    parts += [file.source(k) for k in call.keywords if k is not dropped]
    return file.replaced((call, f"{file.source(call.func)}({', '.join(parts)})"))


@plants_in_text("masked-mean-unmasked", "padding-in-loss", "mask")
def masked_mean_unmasked(file: Text) -> Found:
    """`* mask` of what is summed into a loss."""
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                if MASK.search(ast.unparse(right)) and not MASK.search(ast.unparse(left)):
                    yield file.replaced((node, f"({file.source(left)})"))


# Masks, axes and shapes


@plants_in_text(
    "mask-inverted", "padding-changes-output attends-to-future padding-mask-inverted", "mask"
)
def mask_inverted(file: Text) -> Found:
    for call in file.methods("masked_fill", "masked_fill_"):
        if call.args:
            yield file.replaced((call.args[0], f"~({file.source(call.args[0])})"))
    for call in file.calls:
        name = ast.unparse(call.func)
        if name.endswith(".tril"):
            yield file.replaced((call.func, name.replace(".tril", ".triu")))
        for keyword in call.keywords:
            if (keyword.arg or "").endswith("padding_mask"):
                yield file.replaced((keyword.value, f"~({file.source(keyword.value)})"))


@plants_in_text("mask-dropped", "padding-changes-output attends-to-future", "mask")
def mask_dropped(file: Text) -> Found:
    for call in file.methods("masked_fill"):
        yield file.replaced((call, file.source(file.inner(call))))
    for call in file.calls:
        for keyword in call.keywords:
            if MASK.search(keyword.arg or "") or keyword.arg == "is_causal":
                yield _without_keyword(file, call, keyword)


@plants_in_text("mask-on-wrong-axis", "padding-changes-output attends-to-future", "mask")
def mask_on_wrong_axis(file: Text) -> Found:
    for node in ast.walk(file.root):
        match node:
            case ast.Subscript(value=value, slice=ast.Tuple(elts=elts)):
                texts = [file.source(e) for e in elts]
                if MASK.search(ast.unparse(value)) and "None" in texts and ":" in texts[1:]:
                    yield file.replaced((node, f"{file.source(value)}[{', '.join(_other(texts))}]"))
            case ast.Call(func=ast.Attribute(value=of, attr="unsqueeze"), args=[axis]):
                if MASK.search(ast.unparse(of)):
                    other = "-1" if ast.unparse(axis) != "-1" else "1"
                    yield file.replaced((axis, other))


def _other(texts: list[str]) -> list[str]:
    """A new axis moved past the axis behind or before it."""
    at = texts.index("None")
    to = at + 1 if at + 1 < len(texts) and texts[at + 1] == ":" else at - 1
    texts[at], texts[to] = texts[to], texts[at]
    return texts


@plants_in_text("dim-changed", "class-dimension-wrong batch-rows-mixed loss-broadcasts", "dim")
def dim_changed(file: Text) -> Found:
    """Of softmax, mean, sum, cat and others: 0 for another, 1 for 0."""
    for call in file.calls:
        name = ast.unparse(call.func).rpartition(".")[2]
        if name not in WITH_DIM:
            continue
        given = [k.value for k in call.keywords if k.arg in ("dim", "axis")]
        for dim in given or call.args[-1:]:
            match dim:
                case ast.Constant(value=int(number)) if type(number) is int:
                    yield file.replaced((dim, "1" if number == 0 else "0"))
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
                    yield file.replaced((dim, "0"))


@plants_in_text(
    "transposition-dropped",
    "view-mixes-dimensions batch-rows-mixed rnn-batch-first",
    "transpose permute .T .mT",
)
def transposition_dropped(file: Text) -> Found:
    for call in file.methods("transpose", "permute", "movedim", "swapaxes"):
        if call.args:
            yield file.replaced((call, file.source(file.inner(call))))
    for node in ast.walk(file.root):
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            yield file.replaced((node, file.source(node.value)))


@plants_in_text("batch-first-dropped", "rnn-batch-first batch-rows-mixed", "batch_first")
def batch_first_dropped(file: Text) -> Found:
    for call in file.calls:
        for keyword in call.keywords:
            if keyword.arg == "batch_first":
                yield _without_keyword(file, call, keyword)


@plants_in_text("broadcast", "loss-broadcasts batch-sizes-differ", "squeeze flatten keepdim view")
def broadcast(file: Text) -> Found:
    """An axis of one that is not taken away, or not added."""
    for call in file.methods("squeeze", "flatten", "unsqueeze"):
        if len(call.args) <= 1:
            yield file.replaced((call, file.source(file.inner(call))))
    for call in file.calls:
        for keyword in call.keywords:
            if keyword.arg in ("keepdim", "keepdims"):
                yield _without_keyword(file, call, keyword)


# Models


@plants_in_text("residual-dropped", "", "def forward")
def residual_dropped(file: Text) -> Found:
    for _, forward in flow._networks(file):
        for node in ast.walk(forward):
            match node:
                case ast.BinOp(left=ast.Name(), op=ast.Add(), right=ast.Call() as right):
                    if "self." in ast.unparse(right):
                        yield file.replaced((node, file.source(right)))


@plants_in_text("last-activation", "targets-out-of-reach", "def forward")
def last_activation(file: Text) -> Found:
    for _, forward in flow._networks(file):
        for node in ast.walk(forward):
            match node:
                case ast.Return(value=ast.Call() as value) if "self." in ast.unparse(value):
                    yield file.replaced((value, f"torch.relu({file.source(value)})"))


@plants_in_text("scale-dropped", "initial-loss-high image-scale-unexpected", "/")
def scale_dropped(file: Text) -> Found:
    """Division by a root, a temperature or 255; what is left is not scaled."""
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                if re.search(r"sqrt|temp|tau|^255|^16|\*\* 0\.5|std", ast.unparse(right)):
                    yield file.replaced((node, f"({file.source(left)})"))


@plants_in_text("normalization-dropped", "", "normalize")
def normalization_dropped(file: Text) -> Found:
    for call in file.calls:
        if ast.unparse(call.func).endswith(".normalize") and call.args:
            yield file.replaced((call, file.source(call.args[0])))


# Data and evaluation


@plants_in_text(
    "statistics-of-all",
    "evaluation-standardized-by-itself evaluation-rows-trained-on",
    "mean std fit",
)
def statistics_of_all(file: Text) -> Found:
    """Mean and deviation of all rows, for those of the training rows."""
    for call in file.methods("mean", "std", "fit", "fit_transform", "var"):
        parts = call.args[:1] if "fit" in ast.unparse(call.func) else [file.inner(call)]
        for part in parts:
            if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name):
                yield file.replaced((part, file.source(part.value)))


@plants_in_text("sample-changed", "sample-changed-in-place dataset-grows", "+ * =")
def sample_changed(file: Text) -> Found:
    """`x = x + noise` changes the rows of the data where they lie."""
    signs = {ast.Add: "+=", ast.Mult: "*=", ast.Sub: "-="}
    for node in ast.walk(file.root):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left, op, right)):
                if isinstance(left, ast.Name) and left.id == name and type(op) in signs:
                    yield file.replaced((node, f"{name} {signs[type(op)]} {file.source(right)}"))


@plants_in_text("not-shuffled", "", "shuffle=True")
def not_shuffled(file: Text) -> Found:
    for call in file.calls:
        for keyword in call.keywords:
            if keyword.arg == "shuffle" and ast.unparse(keyword.value) == "True":
                yield file.replaced((keyword.value, "False"))


@plants_in_text("last-batch-only", "evaluation-loss-weighted-wrongly", "+=")
def last_batch_only(file: Text) -> Found:
    """`total = x` for `total += x` in an evaluation."""
    for loop in _evaluation_loops(file):
        for node in ast.walk(loop):
            match node:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                    yield file.replaced((node, f"{name} = {file.source(value)}"))


@plants_in_text("metric-unweighted", "evaluation-loss-weighted-wrongly", "len size shape sum")
def metric_unweighted(file: Text) -> Found:
    """An average of batches that does not count their rows."""
    for node in ast.walk(file.root):
        match node:
            case ast.AugAssign(op=ast.Add(), value=ast.BinOp(left, ast.Mult(), right) as product):
                if re.match(r"len\(|\w+\.(size\(0\)|shape\[0\]|numel\(\))", ast.unparse(right)):
                    yield file.replaced((product, file.source(left)))


# Averages, targets and checkpoints


@plants_in_text("average-not-updated", "average-never-updated target-network-not-updated", "")
def average_not_updated(file: Text) -> Found:
    for call in file.methods(
        "update", "update_parameters", "soft_update", "load_state_dict", "step"
    ):
        of = file.receiver(call)
        if AVERAGE.search(of) and file.is_statement(call) and file.loop(call) is not None:
            yield file.removed(file.statement(call))
    for loop in ast.walk(file.root):
        if isinstance(loop, ast.For) and file.methods("lerp_", "mul_", "copy_", within=loop):
            short = len(loop.body) == 1 and "zip(" in ast.unparse(loop.iter)
            if short and AVERAGE.search(ast.unparse(loop)):
                yield file.removed(loop)


@plants_in_text("average-reversed", "average-forgets-at-once target-network-not-updated", "")
def average_reversed(file: Text) -> Found:
    """The factors of an average are exchanged."""
    for call in file.methods("lerp_"):
        if len(call.args) == 2:
            yield file.replaced((call.args[1], f"1 - ({file.source(call.args[1])})"))
    for call in file.methods("add_"):
        inner, alpha = file.inner(call), [k for k in call.keywords if k.arg == "alpha"]
        match inner:
            case ast.Call(func=ast.Attribute(attr="mul_"), args=[decay]) if alpha:
                swapped = (
                    (decay, f"1 - ({file.source(decay)})"),
                    (alpha[0].value, file.source(decay)),
                )
                yield file.replaced(*swapped)


@plants_in_text("load-dropped", "restored-model-differs", "load_state_dict")
def load_dropped(file: Text) -> Found:
    """What is saved or kept is not loaded again."""
    for call in file.methods("load_state_dict"):
        if file.is_statement(call) and not AVERAGE.search(file.receiver(call)):
            yield file.removed(file.statement(call))


@plants_in_text("load-by-other-names", "strict-false-hides", "load_state_dict")
def load_by_other_names(file: Text) -> Found:
    for call in file.methods("load_state_dict"):
        if len(call.args) == 1 and not re.search(r"optim|sched|scaler", file.receiver(call)):
            state = f'{{f"module.{{k}}": v for k, v in {file.source(call.args[0])}.items()}}'
            yield file.replaced((call, f"{file.source(call.func)}({state}, strict=False)"))


# Rewards and policies


@plants_in_text("end-of-episode-dropped", "", "done term")
def end_of_episode_dropped(file: Text) -> Found:
    """`* (1 - done)` of the value of a next state."""
    ends = re.compile(r"(1(\.0)? - |~|not )\(?\w*(done|term|end)\w*")
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                if ends.search(ast.unparse(right)):
                    yield file.replaced((node, f"({file.source(left)})"))
                elif ends.search(ast.unparse(left)):
                    yield file.replaced((node, f"({file.source(right)})"))


@plants_in_text("discount-dropped", "", "gamma discount 0.9")
def discount_dropped(file: Text) -> Found:
    """The discount of a return or of a next value is 1."""
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                by, of = ast.unparse(left), ast.unparse(file.statement(node))
                discounts = re.fullmatch(r"(self\.)?(gamma|discount|GAMMA)|0\.9\d?", by)
                if discounts and re.search(r"return|target|goal|adv|delta|value|reward", of):
                    yield file.replaced((node, file.source(right)))


@plants_in_text("ratio-reversed", "clipped-policy-loss-wrong", "exp")
def ratio_reversed(file: Text) -> Found:
    """`exp(old - new)`, and `max` for `min`."""
    for call in file.calls:
        name = ast.unparse(call.func)
        match call:
            case ast.Call(args=[ast.BinOp(left, ast.Sub(), right) as given]) if name == "torch.exp":
                yield file.replaced((given, f"{file.source(right)} - {file.source(left)}"))
            case ast.Call(func=ast.Attribute(value=ast.BinOp(left, ast.Sub(), right), attr="exp")):
                yield file.replaced((call, f"({file.source(right)} - {file.source(left)}).exp()"))
        if name in ("torch.min", "torch.minimum") and len(call.args) == 2:
            yield file.replaced((call.func, "torch.maximum"))


OWN = OPERATORS.keys() - _BEFORE
"""The names of the operators of this module."""
