"""Faults of the flow of a training program: order of steps, modes, gradients, what enters a loss, ranks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from evals.mutations.operators import FUNCTIONS
from evals.mutations.texts import LOOPS, Mutant, Text, plants_in_text

EVALUATES = re.compile(r"val|eval|test|infer|predict", re.IGNORECASE)
ACCUMULATES = re.compile(r"accum|grad_acc|micro")
EPOCH_SCHEDULES = re.compile(r"StepLR|MultiStepLR|ExponentialLR|CosineAnnealingLR|LambdaLR")
CRITIC = re.compile(r"(^|[._])(net)?(d|disc\w*|critic\w*|D_\w*)$", re.IGNORECASE)
TEACHER = re.compile(
    r"(^|\.)(\w*_)?(teacher|target|ema|momentum)(_\w+)?$|(^|\.)\w+_k$", re.IGNORECASE
)
PAD = re.compile(r"(^|[._])pad\w*$|pad_token_id|pad_idx|padding_idx", re.IGNORECASE)
CROSS = re.compile(r"(?<!\w)(CrossEntropyLoss|cross_entropy)\(")
BINARY = re.compile(r"(?<!\w)(BCEWithLogitsLoss|binary_cross_entropy_with_logits)\(")
SQUARED = re.compile(r"(?<!\w)(MSELoss|L1Loss|SmoothL1Loss|HuberLoss)\(")
OPTIMIZER = re.compile(r"(Adam\w*|SGD|RMSprop|Adagrad)$")
Found = Iterator[Mutant | None]


# The order of the steps


@plants_in_text("zero-grad-removed", "zero-grad-missing", "zero_grad")
def zero_grad_removed(file: Text) -> Found:
    for loop in file.training_loops():
        clears = [c for c in file.calls if "zero_grad" in ast.unparse(c.func)]
        here = [c for c in clears if file.function(c) is file.function(loop)]
        of_one = len({file.receiver(c) for c in file.optimizer_steps(loop)}) == 1
        if len(here) == 1 and of_one and file.is_statement(here[0]) and loop in file.above(here[0]):
            yield file.removed(file.statement(here[0]))


@plants_in_text("zero-grad-after-backward", "gradients-cleared-early", "zero_grad")
def zero_grad_after_backward(file: Text) -> Found:
    for loop in file.training_loops():
        clears, goes = file.methods("zero_grad", within=loop), file.backwards(loop)
        steps = file.optimizer_steps(loop)
        if len(clears) == len(goes) == len(steps) == 1:
            zero, back, step = (file.statement(c) for c in (clears[0], goes[0], steps[0]))
            together = back in file.block(step) and zero in file.block(step)
            if together and zero.lineno < back.lineno < step.lineno:
                yield file.moved(zero, back, behind=True)


@plants_in_text("zero-grad-in-accumulation", "gradients-cleared-early", "zero_grad")
def zero_grad_in_accumulation(file: Text) -> Found:
    """Out of the test that steps in every k-th round, before the backward."""
    for loop in file.training_loops():
        clears, goes = file.methods("zero_grad", within=loop), file.backwards(loop)
        if len(clears) == len(goes) == 1 and file.is_statement(clears[0]):
            zero, back = file.statement(clears[0]), file.statement(goes[0])
            test = file.parent[zero]
            counted = isinstance(test, ast.If) and "%" in ast.unparse(test.test)
            if counted and back not in file.block(zero):
                yield file.moved(zero, back, behind=False)


@plants_in_text("accumulation-undivided", "accumulation-unscaled", "accum micro")
def accumulation_undivided(file: Text) -> Found:
    for loop in file.training_loops():
        tests = [n for n in ast.walk(loop) if isinstance(n, ast.If) and file.optimizer_steps(n)]
        if not any("%" in ast.unparse(t.test) for t in tests):
            continue
        for node in ast.walk(loop):
            match node:
                case ast.BinOp(op=ast.Div(), left=left, right=right):
                    if _is_share_of_loss(left, right) and not file.methods("item", within=left):
                        yield file.replaced((node, file.source(left)))
                case ast.AugAssign(op=ast.Div(), target=left, value=right):
                    if _is_share_of_loss(left, right):
                        yield file.removed(node)


def _is_share_of_loss(loss: ast.expr, by: ast.expr) -> bool:
    return "loss" in ast.unparse(loss) and bool(ACCUMULATES.search(ast.unparse(by)))


def _schedules(file: Text, within: ast.AST) -> list[ast.Call]:
    steps = [c for c in file.methods("step", within=within) if file.is_statement(c)]
    return [call for call in steps if "sched" in file.receiver(call).lower()]


def _schedules_of_epochs(file: Text) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """The step of a schedule once an epoch, and the batch loop or the call before it that trains."""
    for call in _schedules(file, file.root) if EPOCH_SCHEDULES.search(file.text) else ():
        outer, schedule = file.loop(call), file.statement(call)
        if outer is None or call.args or call.keywords or schedule not in outer.body:
            continue
        if [file.receiver(c) for c in _schedules(file, outer)].count(file.receiver(call)) > 1:
            continue
        for each in outer.body:
            loops = isinstance(each, LOOPS) and bool(file.backwards(each))
            calls = not isinstance(each, LOOPS) and re.search(r"\btrain\w*\(", ast.unparse(each))
            if (loops or calls) and each.lineno < schedule.lineno:
                yield schedule, each


@plants_in_text("schedule-in-batch-loop", "scheduler-past-its-end", "sched")
def schedule_in_batch_loop(file: Text) -> Found:
    for schedule, trains in _schedules_of_epochs(file):
        if isinstance(trains, LOOPS):
            yield file.moved(schedule, trains.body[-1], behind=True)


@plants_in_text("schedule-before-optimizer", "scheduler-before-optimizer", "sched")
def schedule_before_optimizer(file: Text) -> Found:
    for schedule, trains in _schedules_of_epochs(file):
        yield file.moved(schedule, trains, behind=False)


@plants_in_text("schedule-removed", "value-never-used scheduler-never-stepped", "sched")
def schedule_removed(file: Text) -> Found:
    """All that steps a schedule which the file makes."""
    for schedule, _ in _schedules_of_epochs(file):
        if len(_schedules(file, file.root)) == 1 and re.search(r"sched\w* = ", file.text):
            yield file.removed(schedule)


@plants_in_text("set-epoch-removed", "sampler-epoch-not-set", "set_epoch")
def set_epoch_removed(file: Text) -> Found:
    calls = file.methods("set_epoch")
    if len(calls) == 1 and file.is_statement(calls[0]) and "DistributedSampler(" in file.text:
        yield file.removed(file.statement(calls[0]))


@plants_in_text("shuffle-with-sampler", "loader-options-invalid", "sampler=")
def shuffle_with_sampler(file: Text) -> Found:
    for call in file.calls:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if ast.unparse(call.func).endswith("DataLoader") and "shuffle" not in given:
            sampler = given.get("sampler")
            if sampler is not None and not isinstance(sampler, ast.Constant):
                yield file.replaced((sampler, f"{file.source(sampler)}, shuffle=True"))


def _clips(file: Text) -> Iterator[tuple[ast.stmt, ast.stmt, ast.stmt, ast.AST]]:
    """Where gradients are clipped, the one backward and the first step there, and the block of all."""
    for call in file.methods("clip_grad_norm_", "clip_grad_value_"):
        scope = file.loop(call) or file.function(call)
        goes, steps = file.backwards(scope), file.optimizer_steps(scope)
        if file.is_statement(call) and len(goes) == 1 and steps:
            yield file.statement(call), file.statement(goes[0]), file.statement(steps[0]), scope


@plants_in_text("clip-after-step", "clipped-too-late", "clip_grad")
def clip_after_step(file: Text) -> Found:
    for clip, _, step, _ in _clips(file):
        if step in file.block(clip) and clip.lineno < step.lineno:
            yield file.moved(clip, step, behind=True)


@plants_in_text("clip-before-backward", "clipped-too-late", "clip_grad")
def clip_before_backward(file: Text) -> Found:
    for clip, back, _, scope in _clips(file):
        unscaled = file.methods("unscale_", within=scope)
        if not unscaled and back in file.block(clip) and back.lineno < clip.lineno:
            yield file.moved(clip, back, behind=False)


@plants_in_text("unscale-removed", "amp-order", "unscale_")
def unscale_removed(file: Text) -> Found:
    for clip, _, _, scope in _clips(file):
        found = file.methods("unscale_", within=scope)
        if len(found) == 1 and file.is_statement(found[0]) and found[0].lineno < clip.lineno:
            yield file.removed(file.statement(found[0]))


@plants_in_text("retain-graph-added", "retain-graph-needless", "backward")
def retain_graph_added(file: Text) -> Found:
    for loop in file.training_loops():
        goes = file.backwards(loop)
        if len(goes) == 1 and not goes[0].args and not goes[0].keywords:
            yield file.replaced((goes[0], f"{file.source(goes[0])[:-1]}retain_graph=True)"))


@plants_in_text("parameters-left-out", "parameters-not-optimized", "parameters()")
def parameters_left_out(file: Text) -> Found:
    """The last of the parts that an optimizer is given."""
    for call in file.calls:
        if not OPTIMIZER.search(ast.unparse(call.func)) or not call.args:
            continue
        given = call.args[0]
        if isinstance(given, ast.Name):
            made = [n.value for n in ast.walk(file.function(call)) if isinstance(n, ast.Assign)
                    and ast.unparse(n.targets[0]) == given.id]  # fmt: skip
            given = made[0] if len(made) == 1 else given
        parts = list(_parts(given))
        if len({ast.unparse(p) for p in parts}) == len(parts) > 1:
            match given:
                case ast.BinOp(left=left):
                    yield file.replaced((given, file.source(left)))
                case ast.Call(args=[*first, _]):
                    rest = ", ".join(map(file.source, first))
                    yield file.replaced((given, f"{file.source(given.func)}({rest})"))
                case ast.List(elts=[*first, _]):
                    yield file.replaced((given, f"[{', '.join(map(file.source, first))}]"))


def _parts(given: ast.expr) -> Iterator[ast.expr]:
    """The modules whose parameters are joined: a sum of lists, a chain, a list of groups."""
    match given:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            sides = [left, right]
        case ast.Call(func=function, args=sides) if ast.unparse(function).endswith("chain"):
            pass
        case ast.List(elts=sides):
            pass
        case _:
            return
    if all(
        ".parameters()" in ast.unparse(side) and "if" not in ast.unparse(side) for side in sides
    ):
        yield from sides


# Modes


@plants_in_text("eval-removed", "eval-mode-missing", "eval()")
def eval_removed(file: Text) -> Found:
    """Before a loop over data without a backward, in a file that trains the model as well."""
    for call in file.methods("eval"):
        scope = file.function(call)
        after = [n for n in ast.walk(scope) if isinstance(n, LOOPS) and n.lineno > call.lineno]
        evaluates = any(not file.backwards(loop) for loop in after)
        if not file.is_statement(call) or call.args or not evaluates:
            continue
        trains = _switches(file, call, "train")
        here = not isinstance(scope, ast.Module) and bool(file.backwards(scope))
        plain = not any(c.args for c in trains)
        if len(_switches(file, call, "eval")) == 1 and (trains or here) and plain:
            yield file.removed(file.statement(call))


def _switches(file: Text, call: ast.Call, name: str) -> list[ast.Call]:
    """The calls of a switch on what has the same last name."""
    last = file.receiver(call).rpartition(".")[2]
    return [c for c in file.methods(name) if file.receiver(c).rpartition(".")[2] == last]


@plants_in_text("train-removed", "train-mode-not-restored", "train()")
def train_removed(file: Text) -> Found:
    """Where a loop of the file evaluates in each round too, itself or in functions that it calls."""
    loops = [n for n in ast.walk(file.root) if isinstance(n, LOOPS)]
    for call in file.methods("train"):
        if call.args or not file.is_statement(call) or len(_switches(file, call, "train")) != 1:
            continue
        off = _switches(file, call, "eval")
        if any(file.passes(loop, call) and file.passes(loop, o) for o in off for loop in loops):
            yield file.removed(file.statement(call))


# Gradients


def _no_grads(file: Text) -> list[ast.With]:
    blocks = [n for n in ast.walk(file.root) if isinstance(n, ast.With) and len(n.items) == 1]
    texts = [(block, ast.unparse(block.items[0].context_expr)) for block in blocks]
    return [b for b, text in texts if re.search(r"\b(no_grad|inference_mode)\(\)$", text)]


@plants_in_text(
    "no-grad-removed", "validation-records-gradients loss-keeps-graph", "no_grad inference"
)
def no_grad_removed(file: Text) -> Found:
    """Around the evaluation of a file that has no other such block."""
    blocks = _no_grads(file)
    for block in blocks if len(blocks) == 1 else ():
        scope = file.function(block)
        evaluates = EVALUATES.search(file.name_of_function(block)) or file.methods(
            "eval", within=scope
        )
        loops = any(isinstance(n, LOOPS) for n in ast.walk(block)) or file.loop(block) is not None
        trains = not isinstance(scope, ast.Module) and bool(file.backwards(scope))
        if loops and evaluates and not trains and not getattr(scope, "decorator_list", []):
            yield file.unwrapped(block)


@plants_in_text(
    "no-grad-decorator-removed",
    "validation-records-gradients loss-keeps-graph",
    "no_grad inference",
)
def no_grad_decorator_removed(file: Text) -> Found:
    for function in ast.walk(file.root):
        if isinstance(function, FUNCTIONS) and EVALUATES.search(function.name):
            marks = [d for d in function.decorator_list if _switches_off(d)]
            if marks and any(isinstance(n, LOOPS) for n in ast.walk(function)):
                yield file.without(marks[0].lineno, marks[0].end_lineno or 0)


def _switches_off(decorator: ast.expr) -> bool:
    return bool(re.search(r"no_grad|inference_mode", ast.unparse(decorator)))


@plants_in_text("no-grad-around-forward", "trained-under-no-grad no-grad-fn", "backward")
def no_grad_around_forward(file: Text) -> Found:
    """Around the call in a training loop that gives what the one loss is made of."""
    model = re.compile(r"(^|\.)(model|net|network|encoder)$")
    off = {id(n) for block in _no_grads(file) for n in ast.walk(block)}
    for loop in file.training_loops():
        goes = file.backwards(loop)
        for each in file.block(file.statement(goes[0])) if len(goes) == 1 else ():
            match each:
                case ast.Assign(value=ast.Call(func=called)) if model.search(ast.unparse(called)):
                    if id(each) not in off and _makes_loss(file, each):
                        yield file.wrapped(each, "with torch.no_grad():")


def _makes_loss(file: Text, output: ast.Assign) -> bool:
    """Whether the one loss behind a statement is computed from its result."""
    losses = [s for s in file.block(output) if isinstance(s, ast.Assign) and s.lineno > output.lineno
              and "loss" in ast.unparse(s.targets[0])]  # fmt: skip
    return len(losses) == 1 and bool(_stored(output) & _read(losses[0].value))


def _stored(statement: ast.Assign) -> set[str]:
    return {n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)}


def _read(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


@plants_in_text("no-grad-on-forward", "trained-under-no-grad no-grad-fn", "backward")
def no_grad_on_forward(file: Text) -> Found:
    """Of a network of a file that makes it, and trains."""
    for owner, forward in _networks(file):
        text = file.source(owner)
        made = re.search(rf"(?<!class )\b{owner.name}\(", file.text)
        layers = re.search(r"nn\.(Linear|Conv\dd|LSTM|GRU|Embedding)\(", text)
        if made and layers and not re.search(r"requires_grad|no_grad|\.eval\(", text):
            yield file.decorated(forward, "@torch.no_grad()")


@plants_in_text("no-grad-on-loss-helper", "trained-under-no-grad no-grad-fn", "backward")
def no_grad_on_loss_helper(file: Text) -> Found:
    """On the function of the file that alone gives what goes backward."""
    functions = {f.name: f for f in ast.walk(file.root) if isinstance(f, ast.FunctionDef)}
    for back in file.backwards(file.root):
        loss = file.inner(back)
        assigned = [n for n in ast.walk(file.function(back)) if isinstance(n, ast.Assign)]
        made = [n.value for n in assigned if isinstance(loss, ast.Name) and loss.id in _stored(n)]
        call = made[0] if len(made) == 1 else None
        if isinstance(call, ast.Call):
            helper = functions.get(ast.unparse(call.func).rpartition(".")[2])
            if helper is not None and helper.name not in ("forward", "__init__"):
                yield file.decorated(helper, "@torch.no_grad()")


@plants_in_text("item-dropped", "loss-keeps-graph", "item() detach()")
def item_dropped(file: Text) -> Found:
    """Of the loss that a training loop adds up or lists."""
    for loop in file.training_loops():
        for call in file.methods("item", "detach", within=loop):
            value = file.inner(call)
            kept = _kept_in(file, call)
            if kept is None or not re.fullmatch(r"[\w.]*loss\w*", ast.unparse(value)):
                continue
            sets = [n for n in ast.walk(loop) if isinstance(n, ast.Assign)]
            if ast.unparse(kept) not in {ast.unparse(t) for n in sets for t in n.targets}:
                yield file.replaced((call, file.source(value)))


def _kept_in(file: Text, value: ast.expr) -> ast.expr | None:
    """The sum or list that a value is added to, as it is or times a number."""
    for above in file.above(value):
        match above:
            case ast.AugAssign(op=ast.Add(), target=target):
                return target
            case ast.Call(func=ast.Attribute(attr="append", value=holder)):
                return holder
            case ast.BinOp() | ast.Call(func=ast.Attribute(attr="cpu" | "detach" | "item")):
                continue
            case ast.Attribute():
                continue
        return None
    return None


@plants_in_text("fake-detach-dropped", "gradient-leaks-into-frozen backward-twice", "detach()")
def fake_detach_dropped(file: Text) -> Found:
    for call in file.methods("detach"):
        outer = file.parent[call]
        judged = isinstance(outer, ast.Call) and CRITIC.search(ast.unparse(outer.func))
        fake = re.search(r"fake|gen|recon|sample", file.receiver(call))
        if judged and fake and len(file.backwards(file.root)) > 1:
            yield file.replaced((call, file.source(file.inner(call))))


@plants_in_text("fake-detach-added", "generator-loss-detached", "detach()")
def fake_detach_added(file: Text) -> Found:
    """Where the loss of the generator is computed, in a file that detaches for its critic alone."""
    for call in file.calls:
        match call:
            case ast.Call(func=critic, args=[ast.Name(id=fake) as given, *_]):
                statement = file.statement(call)
                if not CRITIC.search(ast.unparse(critic)) or not isinstance(statement, ast.Assign):
                    continue
                to = ast.unparse(statement.targets[0]).lower()
                of_generator = re.search(r"(^|_)(g|gen|adv)", to) and "d_" not in to
                if (
                    re.search(r"fake|gen", fake)
                    and of_generator
                    and f"{fake}.detach()" in file.text
                ):
                    yield file.replaced((given, f"{fake}.detach()"))


@plants_in_text("teacher-no-grad-dropped", "gradient-leaks-into-frozen", "no_grad")
def teacher_no_grad_dropped(file: Text) -> Found:
    """Around the call of a teacher or a target network."""
    for block in _no_grads(file):
        calls = [ast.unparse(c.func) for c in ast.walk(block) if isinstance(c, ast.Call)]
        teacher = any(TEACHER.search(call) for call in calls)
        loops = any(isinstance(n, LOOPS) for n in ast.walk(block))
        if teacher and not loops and not EVALUATES.search(file.name_of_function(block)):
            yield file.unwrapped(block)


@plants_in_text(
    "target-detach-dropped", "gradient-leaks-into-frozen advantage-with-graph", "detach()"
)
def target_detach_dropped(file: Text) -> Found:
    """Of the target of a value or of an advantage."""
    for call in file.methods("detach") if file.backwards(file.root) else ():
        if re.search(r"target|next|advantage|q_|value", file.receiver(call), re.IGNORECASE):
            yield file.replaced((call, file.source(file.inner(call))))


# What enters a loss


def _networks(file: Text) -> Iterator[tuple[ast.ClassDef, ast.FunctionDef]]:
    for owner in ast.walk(file.root):
        if isinstance(owner, ast.ClassDef):
            methods = [f for f in owner.body if isinstance(f, ast.FunctionDef)]
            forward = next((f for f in methods if f.name == "forward"), None)
            if forward is not None and any(ast.unparse(b).endswith("Module") for b in owner.bases):
                yield owner, forward


def _loss_calls(file: Text, kind: re.Pattern[str], functional: str) -> Iterator[ast.Call]:
    """The calls of a loss, as a function or by a criterion that the file makes."""
    made = {ast.unparse(n.targets[0]) for n in ast.walk(file.root) if isinstance(n, ast.Assign)
            and isinstance(n.value, ast.Call) and kind.search(f"{ast.unparse(n.value.func)}(")}  # fmt: skip
    for call in file.calls:
        name = ast.unparse(call.func)
        computes = len(call.args) >= 2 and (name in made or name.endswith(f".{functional}"))
        if computes and not re.search(r"softmax|sigmoid|prob|log_", ast.unparse(call.args[0])):
            yield call


@plants_in_text("softmax-in-loss", "softmax-before-cross-entropy", "CrossEntropyLoss cross_entropy")
def softmax_in_loss(file: Text) -> Found:
    for call in _loss_calls(file, CROSS, "cross_entropy"):
        yield file.replaced((call.args[0], f"torch.softmax({file.source(call.args[0])}, dim=1)"))


@plants_in_text(
    "softmax-in-model", "softmax-before-cross-entropy", "CrossEntropyLoss cross_entropy"
)
def softmax_in_model(file: Text) -> Found:
    yield from _activated(file, CROSS, "torch.softmax({}, dim=1)")


@plants_in_text(
    "sigmoid-in-loss", "probabilities-as-logits bce-wants-probabilities", "WithLogits with_logits"
)
def sigmoid_in_loss(file: Text) -> Found:
    for call in _loss_calls(file, BINARY, "binary_cross_entropy_with_logits"):
        yield file.replaced((call.args[0], f"torch.sigmoid({file.source(call.args[0])})"))


@plants_in_text(
    "sigmoid-in-model", "probabilities-as-logits bce-wants-probabilities", "WithLogits with_logits"
)
def sigmoid_in_model(file: Text) -> Found:
    yield from _activated(file, BINARY, "torch.sigmoid({})")


def _activated(file: Text, loss: re.Pattern[str], around: str) -> Found:
    """An activation at the end of the one network of a file that computes the loss of raw outputs."""
    networks = list(_networks(file))
    if (
        len(networks) != 1
        or not loss.search(file.text)
        or re.search(r"[sS]oftmax|[sS]igmoid", file.text)
    ):
        return
    returns = [n.value for n in ast.walk(networks[0][1]) if isinstance(n, ast.Return) and n.value]
    if len(returns) == 1 and not isinstance(returns[0], (ast.Tuple, ast.Dict)):
        yield file.replaced((returns[0], around.format(file.source(returns[0]))))


@plants_in_text(
    "log-dropped",
    "nll-wants-log kl-div-wants-log softmax-before-cross-entropy",
    "nll NLL kl_div KLDiv",
)
def log_dropped(file: Text) -> Found:
    """`log_softmax`, the only one of a file with a negative log likelihood or a divergence."""
    logs = [c for c in file.calls if re.search(r"log_softmax$|LogSoftmax$", ast.unparse(c.func))]
    if len(logs) == 1:
        name = file.source(logs[0].func)
        plain = name.replace("log_softmax", "softmax").replace("LogSoftmax", "Softmax")
        yield file.replaced((logs[0].func, plain))


@plants_in_text("padding-mask-negated", "padding-mask-inverted", "key_padding_mask")
def padding_mask_negated(file: Text) -> Found:
    """What a layer of attention is given, where the function computed it."""
    for call in file.calls:
        for keyword in call.keywords:
            value = keyword.value
            if not (keyword.arg or "").endswith("key_padding_mask"):
                continue
            if isinstance(value, ast.Compare):
                yield file.replaced((value, f"~({file.source(value)})"))
            assigned = [n for n in ast.walk(file.function(call)) if isinstance(n, ast.Assign)]
            if isinstance(value, ast.Name) and any(value.id in _stored(n) for n in assigned):
                yield file.replaced((value, f"~{value.id}"))


@plants_in_text("pad-compared-reversed", "padding-mask-inverted", "pad PAD")
def pad_compared_reversed(file: Text) -> Found:
    """`ids == pad` for `ids != pad` where a mask is made of it."""
    for node in ast.walk(file.root):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as sign], comparators=[right]):
                target = file.statement(node)
                made = isinstance(target, ast.Assign) and "mask" in ast.unparse(target.targets[0])
                if made and PAD.search(ast.unparse(right)):
                    other = "!=" if isinstance(sign, ast.Eq) else "=="
                    yield file.replaced((node, f"{file.source(left)} {other} {file.source(right)}"))


@plants_in_text("masked-mean-over-all", "padding-in-loss", "mask")
def masked_mean_over_all(file: Text) -> Found:
    """`(loss * mask).sum() / mask.sum()` becomes `(loss * mask).mean()`."""
    for node in ast.walk(file.root):
        match node:
            case ast.BinOp(
                op=ast.Div(),
                left=ast.Call(func=ast.Attribute(attr="sum", value=terms)),
                right=count,
            ):
                mask = re.match(r"(\w*mask\w*)\.sum\(\)", ast.unparse(count))
                masked = mask is not None and mask.group(1) in _read(terms)
                if masked and "loss" in ast.unparse(file.statement(node)):
                    yield file.replaced((node, f"{file.source(terms)}.mean()"))


# Shapes


@plants_in_text("softmax-over-batch", "softmax-axis-mismatch batch-rows-mixed", "softmax(")
def softmax_over_batch(file: Text) -> Found:
    """Over dimension 0 for the last one of logits."""
    for call in file.calls:
        if ast.unparse(call.func).rpartition(".")[2] not in ("softmax", "log_softmax"):
            continue
        given = ast.unparse(call.args[0]) if call.args else file.receiver(call)
        for keyword in (
            call.keywords if re.search(r"logit|output|pred|score|attn|energy", given) else ()
        ):
            if keyword.arg == "dim" and ast.unparse(keyword.value) in ("-1", "1"):
                yield file.replaced((keyword.value, "0"))


@plants_in_text("squeeze-dropped", "loss-broadcasts", "squeeze(")
def squeeze_dropped(file: Text) -> Found:
    """Of predictions that an elementwise loss compares with targets of shape (B,)."""
    for call in _loss_calls(file, SQUARED, "mse_loss"):
        for squeeze in file.methods("squeeze", within=call.args[0]):
            if "squeeze" not in ast.unparse(call.args[1]):
                yield file.replaced((squeeze, file.source(file.inner(squeeze))))


@plants_in_text("permute-dropped", "view-mixes-dimensions", "permute transpose")
def permute_dropped(file: Text) -> Found:
    """Of `x.permute(...).reshape(...)` and `x.transpose(...).contiguous().view(...)`."""
    for call in file.methods("reshape", "view"):
        inner = file.inner(call)
        while isinstance(inner, ast.Call) and ast.unparse(inner.func).endswith(".contiguous"):
            inner = file.inner(inner)
        if isinstance(inner, ast.Call) and re.search(
            r"\.(permute|transpose)$", ast.unparse(inner.func)
        ):
            yield file.replaced((file.inner(call), file.source(file.inner(inner))))


@plants_in_text("transpose-to-reshape", "view-mixes-dimensions", "transpose(1, 2)")
def transpose_to_reshape(file: Text) -> Found:
    """`B, N, C = x.shape`, and `x.reshape(B, C, N)` for `x.transpose(1, 2)`."""
    for node in ast.walk(file.root):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(b), ast.Name(n), ast.Name(c)])]):
                shape = re.fullmatch(r"(\w+)\.(shape|size\(\))", ast.unparse(node.value))
                for call in file.methods("transpose", within=file.function(node)) if shape else ():
                    if shape and ast.unparse(call) == f"{shape.group(1)}.transpose(1, 2)":
                        yield file.replaced((call, f"{shape.group(1)}.reshape({b}, {c}, {n})"))


# Checkpoints and ranks


@plants_in_text("best-state-uncopied", "kept-state-not-copied", "deepcopy")
def best_state_uncopied(file: Text) -> Found:
    for call in file.calls:
        kept = call.args and ast.unparse(call.args[0]).endswith(".state_dict()")
        if kept and ast.unparse(call.func).endswith("deepcopy"):
            yield file.replaced((call, file.source(call.args[0])))


@plants_in_text("rank-test-removed", "saved-on-every-rank", "rank is_main_process is_master")
def rank_test_removed(file: Text) -> Found:
    """Around what saves a checkpoint."""
    tests = re.compile(r"rank\w*(\(\))? == 0|is_main_process|is_master")
    for node in ast.walk(file.root):
        if isinstance(node, ast.If) and not node.orelse and tests.search(ast.unparse(node.test)):
            saves = [c for c in file.methods("save", within=node) if file.receiver(c) == "torch"]
            if (
                saves
                and not isinstance(node.test, ast.BoolOp)
                and "init_process_group" in file.text
            ):
                yield file.replaced((node.test, "True"))


@plants_in_text("collective-under-rank-test", "collective-on-one-rank", "dist.")
def collective_under_rank_test(file: Text) -> Found:
    names = re.compile(r"(^|\.)dist(ributed)?\.(barrier|all_reduce|all_gather|broadcast)$")
    for call in file.calls:
        tested = any(isinstance(above, ast.If) for above in file.above(call))
        if names.search(ast.unparse(call.func)) and file.is_statement(call) and not tested:
            yield file.wrapped(file.statement(call), "if torch.distributed.get_rank() == 0:")
