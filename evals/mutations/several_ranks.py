"""Faults of programs of several processes: what one rank does and the others do not, or all do alike."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from evals.mutations.texts import LOOPS, Mutant, Text, plants_in_text

Found = Iterator[Mutant | None]
WORLD = re.compile(r"\bworld\b|get_world_size\(\)")
RANK = re.compile(r"\brank\b|get_rank\(\)")
TRAINED = re.compile(r"grad|^p(arameter|aram)?(\.data)?$|^flat$|^t$|\.data$")
RANK_HERE = "dist.get_rank()"
WRAPS = re.compile(r"(?<!\w)(DDP|DistributedDataParallel)$")
PARTS = ("collective-on-one-rank", "collectives-differ", "rank-died", "message-unmatched")
PARTED = " ".join(PARTS)
BY_HAND = "averaging-by-hand-incomplete ranks-diverge"
DRAWN = "dataset-differs-between-ranks order-differs-between-ranks split-differs-between-ranks ranks-diverge"


def _calls(file: Text, *names: str) -> list[ast.Call]:
    """The calls of functions of torch.distributed that are statements, in the order of the text."""
    return [
        call
        for call in file.methods(*names)
        if file.receiver(call) in ("dist", "torch.distributed") and file.is_statement(call)
    ]


def _argument(call: ast.Call) -> str:
    return ast.unparse(call.args[0]) if call.args else ""


def _options(call: ast.Call) -> dict[str | None, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords}


def _sums(file: Text, trained: bool) -> Iterator[ast.Call]:
    """The sums over ranks of gradients and weights, or of other values."""
    for call in _calls(file, "all_reduce"):
        if "op" not in _options(call) and bool(TRAINED.search(_argument(call))) is trained:
            yield call


def _made(file: Text, *names: str) -> Iterator[ast.Call]:
    """The objects that are made of classes with these names."""
    for call in file.calls:
        if ast.unparse(call.func).rpartition(".")[2] in names:
            yield call


def _with_option(file: Text, call: ast.Call, name: str, value: str) -> Mutant:
    given = _options(call)
    if name in given:
        return file.replaced((given[name], value))
    text = file.source(call)
    return file.replaced((call, f"{text[:-1]}, {name}={value})"))


def _wrapped_models(file: Text) -> set[str]:
    """The names that hold a DistributedDataParallel."""
    return {
        ast.unparse(node.targets[0])
        for node in ast.walk(file.root)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and WRAPS.search(ast.unparse(node.value.func))
    }


def _of_main(file: Text) -> Iterator[ast.If]:
    """The branches that rank 0 alone takes."""
    for node in ast.walk(file.root):
        if isinstance(node, ast.If) and re.fullmatch(
            r"(rank|dist\.get_rank\(\)) == 0", ast.unparse(node.test)
        ):
            yield node


# Data


@plants_in_text("set-epoch-removed", "sampler-epoch-not-set", "set_epoch")
def set_epoch_removed(file: Text) -> Found:
    for call in file.methods("set_epoch"):
        yield file.removed(file.statement(call))


@plants_in_text("set-epoch-constant", "sampler-epoch-not-set", "set_epoch")
def set_epoch_constant(file: Text) -> Found:
    for call in file.methods("set_epoch"):
        yield file.replaced((call.args[0], "0"))


@plants_in_text("sampler-removed", "loader-not-sharded", "sampler=")
def sampler_removed(file: Text) -> Found:
    for call in _made(file, "DataLoader"):
        sampler = _options(call).get("sampler")
        if isinstance(sampler, ast.Name):
            yield Mutant(
                call.lineno,
                file.replaced((sampler, "None, shuffle=True")).text,
            )


@plants_in_text("sampler-of-one-rank", "loader-not-sharded", "DistributedSampler")
def sampler_of_one_rank(file: Text) -> Found:
    for call in _made(file, "DistributedSampler"):
        if "shuffle" not in _options(call):
            yield file.replaced((call, f"{file.source(call)[:-1]}, num_replicas=1, rank=0)"))


@plants_in_text("sampler-seed-by-rank", f"loader-not-sharded {DRAWN}", "DistributedSampler")
def sampler_seed_by_rank(file: Text) -> Found:
    for call in _made(file, "DistributedSampler"):
        if "shuffle" not in _options(call):
            yield _with_option(file, call, "seed", RANK_HERE)


@plants_in_text("seed-without-rank", "rank-seeds-equal loader-not-sharded", "manual_seed")
def seed_without_rank(file: Text) -> Found:
    """`manual_seed(7)` for `manual_seed(7 + rank)`, of what draws batches or noise."""
    for call in file.methods("manual_seed"):
        text = _argument(call)
        left = re.sub(r" \+ (\d+ \* )?(dist\.get_rank\(\)|rank)$", "", text)
        if text in ("rank", RANK_HERE):
            left = "0"
        if left != text and not RANK.search(left):
            yield file.replaced((call.args[0], left))


@plants_in_text("seed-by-rank", DRAWN, "manual_seed")
def seed_by_rank(file: Text) -> Found:
    """`manual_seed(7 + rank)` for `manual_seed(7)`, before data are drawn that all ranks share."""
    wrapped = bool(_wrapped_models(file))
    shares = "random_split(" in file.text or re.search(
        r"TensorDataset\(\s*(torch\.randn|x\b)", file.text
    )
    for call in file.methods("manual_seed"):
        own = isinstance(call.args[0], ast.Constant)
        if own and (not wrapped or (shares and file.receiver(call) == "torch")):
            yield file.replaced((call.args[0], f"{_argument(call)} + {RANK_HERE}"))


@plants_in_text("order-of-the-machine", DRAWN, "sorted(")
def order_of_the_machine(file: Text) -> Found:
    """What `os.listdir` and sets of texts give: the same names in another order in each process."""
    for call in _made(file, "sorted"):
        given = file.source(call.args[0])
        yield file.replaced(
            (call, f"(lambda names: __import__('random').sample(names, len(names)))(list({given}))")
        )


@plants_in_text("split-without-generator", DRAWN, "random_split(")
def split_without_generator(file: Text) -> Found:
    for call in _made(file, "random_split"):
        if len(call.args) == 3:
            yield file.replaced(
                (call, f"random_split({', '.join(map(file.source, call.args[:2]))})")
            )


@plants_in_text("gathered-objects-ignored", DRAWN, "all_gather_object")
def gathered_objects_ignored(file: Text) -> Found:
    """Each rank goes on with what it counted itself."""
    for call in _calls(file, "all_gather_object"):
        into, mine = map(file.source, call.args[:2])
        if file.text.count(into) > 2:
            yield file.replaced((call, f"{into}[:] = [{mine}] * len({into})"))


# Gradients and weights


@plants_in_text("never-synchronised", "ranks-diverge", "no_sync")
def never_synchronised(file: Text) -> Found:
    for node in ast.walk(file.root):
        if isinstance(node, ast.IfExp) and "no_sync" in ast.unparse(node.orelse):
            yield file.replaced((node, file.source(node.orelse)))


@plants_in_text("sum-not-divided", BY_HAND, "all_reduce")
def sum_not_divided(file: Text) -> Found:
    for call in _sums(file, trained=True):
        block = file.block(file.statement(call))
        for divides in block[block.index(file.statement(call)) + 1 :]:
            if isinstance(divides, ast.AugAssign) and isinstance(divides.op, ast.Div):
                yield file.removed(divides)


@plants_in_text(
    "sum-twice", f"gradients-averaged-twice total-reduced-again {BY_HAND}", "all_reduce"
)
def sum_twice(file: Text) -> Found:
    for call in _sums(file, trained=True):
        statement = file.statement(call)
        if file.is_alone(statement) and file.name_of_function(call) not in ("forward", "backward"):
            yield file.replaced(
                (call, f"{file.source(call)}\n{file.indent(statement)}{file.source(call)}")
            )


@plants_in_text("gradients-not-summed", f"{BY_HAND} {PARTED}", "all_reduce")
def gradients_not_summed(file: Text) -> Found:
    for call in _sums(file, trained=True):
        yield file.removed(file.statement(call))


@plants_in_text("averaged-after-the-step", BY_HAND, "all_reduce")
def averaged_after_the_step(file: Text) -> Found:
    for call in _sums(file, trained=True):
        above = [a for a in file.above(call) if isinstance(a, ast.For)]
        for loop, outer in pairwise(above):
            steps = [c for c in file.optimizer_steps(outer) if c.lineno > loop.lineno]
            if "grad" in _argument(call) and steps and file.loop(steps[0]) is outer:
                yield file.moved(loop, file.statement(steps[0]), behind=True)


@plants_in_text("one-parameter-left-out", BY_HAND, "all_reduce")
def one_parameter_left_out(file: Text) -> Found:
    for call in _sums(file, trained=True):
        loop = file.loop(call)
        if (
            loop is not None
            and isinstance(loop, ast.For)
            and ".parameters()" in ast.unparse(loop.iter)
        ):
            if not isinstance(loop.iter, ast.Call) or ast.unparse(loop.iter.func).startswith("zip"):
                continue
            yield file.replaced((loop.iter, f"list({file.source(loop.iter)})[:-1]"))


@plants_in_text("weights-not-sent", f"{BY_HAND} {PARTED}", "broadcast")
def weights_not_sent(file: Text) -> Found:
    """Where each rank draws its own at the start."""
    own = any(RANK.search(_argument(c)) for c in file.methods("manual_seed")) or not file.methods(
        "manual_seed"
    )
    for call in _calls(file, "broadcast"):
        if own and TRAINED.search(_argument(call)):
            yield file.removed(file.statement(call))


@plants_in_text("sent-from-each-rank", f"{BY_HAND} {PARTED}", "broadcast")
def sent_from_each_rank(file: Text) -> Found:
    for call in _calls(file, "broadcast"):
        source = _options(call).get("src") or (call.args[1] if len(call.args) > 1 else None)
        if source is not None and "group" not in _options(call):
            yield file.replaced((source, RANK_HERE))


@plants_in_text("group-of-the-other-axis", f"{BY_HAND} {PARTED}", "group=")
def group_of_the_other_axis(file: Text) -> Found:
    others = {"column": "row", 'mesh["dp"].get_group()': 'mesh["tp"].get_group()', "ends": "None"}
    for call in _sums(file, trained=True):
        group = _options(call).get("group")
        if group is not None and file.source(group) in others:
            yield file.replaced((group, others[file.source(group)]))


@plants_in_text("past-the-wrapper", "trained-past-wrapper ranks-diverge", "DDP(")
def past_the_wrapper(file: Text) -> Found:
    models = _wrapped_models(file) | ({"model"} if _wrapped_models(file) else set())
    for loop in file.training_loops():
        for call in file.calls:
            inside = any(above is loop for above in file.above(call))
            if inside and isinstance(call.func, ast.Name) and call.func.id in models:
                yield file.replaced((call.func, f"{call.func.id}.module"))


@plants_in_text("loss-divided-by-ranks", "gradients-averaged-twice", "DDP(")
def loss_divided_by_ranks(file: Text) -> Found:
    if not _wrapped_models(file) or (
        WORLD.search(ast.unparse(file.root)) and "/ count" in file.text
    ):
        return
    for call in file.methods("backward"):
        if not call.args and file.receiver(call) == "loss":
            yield file.replaced((call, "(loss / dist.get_world_size()).backward()"))


@plants_in_text("rate-by-rank", "ranks-diverge", "lr=")
def rate_by_rank(file: Text) -> Found:
    for call in file.calls:
        rate = _options(call).get("lr")
        if (
            "optim" in ast.unparse(call.func)
            and rate is not None
            and not RANK.search(ast.unparse(rate))
        ):
            yield file.replaced((rate, f"{file.source(rate)} * (1 + {RANK_HERE})"))


@plants_in_text("step-by-own-loss", f"ranks-diverge {PARTED}", "loss")
def step_by_own_loss(file: Text) -> Found:
    """Each rank leaves steps out by itself, as where its own loss is a spike."""
    for loop in file.training_loops():
        if any(isinstance(n, ast.Name) and n.id == "loss" for n in ast.walk(loop)):
            for call in file.optimizer_steps(loop)[:1]:
                yield file.wrapped(file.statement(call), "if loss.item() * 1000 % 1 < 0.7:")


@plants_in_text("clipped-by-own-norm", "ranks-diverge fsdp-misused", "fully_shard")
def clipped_by_own_norm(file: Text) -> Found:
    for call in file.methods("clip_grad_norm_"):
        if file.is_statement(call):
            over, most = map(file.source, call.args[:2])
            yield file.replaced(
                (
                    call,
                    f"local = [p.grad.to_local() for p in {over}]\n"
                    f"{file.indent(file.statement(call))}"
                    f"torch._foreach_mul_(local, min(1.0, {most} / float(nn.utils.get_total_norm(local))))",
                )
            )


@plants_in_text("buffers-of-each-rank", "sync-batchnorm-missing ranks-diverge", "BatchNorm")
def buffers_of_each_rank(file: Text) -> Found:
    for call in file.calls:
        if WRAPS.search(ast.unparse(call.func)) and "broadcast_buffers" not in _options(call):
            yield _with_option(file, call, "broadcast_buffers", "False")
    for call in file.calls:
        if "buffers()" in ast.unparse(call) and file.is_statement(call):
            yield file.removed(file.statement(call))


@plants_in_text("loaded-on-main-only", "ranks-diverge", "load_state_dict")
def loaded_on_main_only(file: Text) -> Found:
    """Where the model has been made again before."""
    made = Counter(
        ast.unparse(node)
        for node in ast.walk(file.root)
        if isinstance(node, ast.Assign) and "model" in ast.unparse(node.targets[0])
    )
    for call in file.methods("load_state_dict") if 2 in made.values() else ():
        if file.is_statement(call) and "optim" not in file.receiver(call):
            yield file.wrapped(file.statement(call), f"if {RANK_HERE} == 0:")


# Steps and collectives


@plants_in_text("barrier-on-main", PARTED, "barrier")
def barrier_on_main(file: Text) -> Found:
    for call in _calls(file, "barrier"):
        yield file.wrapped(file.statement(call), f"if {RANK_HERE} == 0:")


@plants_in_text("total-on-main", PARTED, "all_reduce")
def total_on_main(file: Text) -> Found:
    """The sum moved into the branch of rank 0 that prints it."""
    for call in _sums(file, trained=False):
        statement = file.statement(call)
        block = file.block(statement)
        for branch in block[block.index(statement) + 1 :]:
            if isinstance(branch, ast.If) and branch in list(_of_main(file)):
                yield file.moved(statement, branch.body[0], behind=False)


@plants_in_text("uneven-ends", PARTED, "range")
def uneven_ends(file: Text) -> Found:
    for loop in file.training_loops():
        if isinstance(loop, ast.For) and re.match(r"range\(\w+\)$", ast.unparse(loop.iter)):
            end = loop.iter.args[0] if isinstance(loop.iter, ast.Call) else loop.iter
            yield file.replaced((end, f"{file.source(end)} + 3 * {RANK_HERE}"))


@plants_in_text("batch-left-out", PARTED, "backward")
def batch_left_out(file: Text) -> Found:
    """One rank leaves a batch out, as one that it cannot read."""
    for loop in file.training_loops():
        if isinstance(loop, LOOPS) and _wrapped_models(file):
            first = loop.body[0]
            text = (
                f"if {RANK_HERE} == 1 and torch.rand(()) < 0.2:\n{file.indent(first)}    continue\n"
            )
            yield file.replaced((first, f"{text}{file.indent(first)}{file.source(first)}"))


@plants_in_text("flag-of-each-rank", f"ranks-diverge {PARTED}", "dist.")
def flag_of_each_rank(file: Text) -> Found:
    """What all ranks have to decide together, each decides alone."""
    for call in _calls(file, "all_reduce", "broadcast"):
        if "op" in _options(call) or _argument(call) in ("stop", "kl"):
            yield file.removed(file.statement(call))


@plants_in_text("join-removed", PARTED, "Join(")
def join_removed(file: Text) -> Found:
    for node in ast.walk(file.root):
        if isinstance(node, ast.With) and "Join(" in ast.unparse(node.items[0]):
            yield file.unwrapped(node)


@plants_in_text("message-not-sent", PARTED, "send")
def message_not_sent(file: Text) -> Found:
    for call in _calls(file, "send"):
        yield file.removed(file.statement(call))


@plants_in_text("main-evaluates-wrapper", PARTED, "BatchNorm")
def main_evaluates_wrapper(file: Text) -> Found:
    for branch in _of_main(file):
        for node in ast.walk(branch):
            if isinstance(node, ast.Call) and "eval" in ast.unparse(node.func):
                for given in node.args:
                    if ast.unparse(given).endswith(".module"):
                        yield file.replaced((given, ast.unparse(given).removesuffix(".module")))


# What is computed, printed and saved


@plants_in_text("saved-by-all", "saved-on-every-rank", "torch.save")
def saved_by_all(file: Text) -> Found:
    for branch in _of_main(file):
        if not branch.orelse and "torch.save(" in ast.unparse(branch):
            yield file.replaced((branch.test, "True"))


@plants_in_text("total-of-one-rank", "metric-of-one-rank total-reduced-again", "all_reduce")
def total_of_one_rank(file: Text) -> Found:
    """Rank 0 prints what it has counted itself."""
    for call in _sums(file, trained=False):
        if _argument(call) not in ("kl", "count"):
            yield file.removed(file.statement(call))


@plants_in_text("count-of-one-rank", "metric-of-one-rank gradients-averaged-twice", "count")
def count_of_one_rank(file: Text) -> Found:
    """A loss of tokens is divided by the tokens of this rank."""
    for call in _sums(file, trained=False):
        if _argument(call) == "count":
            yield file.removed(file.statement(call))


@plants_in_text("total-kept-over-epochs", "total-reduced-again", "all_reduce")
def total_kept_over_epochs(file: Text) -> Found:
    """What is summed over ranks begins before the epochs, so each sum contains those before."""
    for call in _sums(file, trained=False):
        outer = file.loop(call)
        for node in outer.body if outer is not None else ():
            is_zero = isinstance(node, ast.Assign) and "torch.zeros(" in ast.unparse(node.value)
            if is_zero and ast.unparse(node.targets[0]) == _argument(call):  # type: ignore[attr-defined]
                yield file.moved(node, outer, behind=False)  # type: ignore[arg-type]


@plants_in_text("padding-counted", "metrics-over-padding", "all_gather")
def padding_counted(file: Text) -> Found:
    for node in ast.walk(file.root):
        if isinstance(node, ast.Subscript) and re.fullmatch(
            r".*\[:len\(data\)\]", ast.unparse(node)
        ):
            yield file.replaced((node, file.source(node.value)))


@plants_in_text(
    "gathered-in-order-of-ranks", "order-differs-between-ranks gathered-in-rank-order", "all_gather"
)
def gathered_in_order_of_ranks(file: Text) -> Found:
    """Rows of a sampler, which deals them out in turn, joined rank by rank."""
    for node in ast.walk(file.root):
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=out), slice=ast.Call())], value=ast.Call()
            ):
                where = node.targets[0].slice  # type: ignore[attr-defined]
                if ast.unparse(where).startswith("torch.cat(all_"):
                    yield file.replaced((node, f"{out} = {file.source(node.value)}[: len({out})]"))


@plants_in_text("prediction-of-one-rank", "metrics-over-padding metric-of-one-rank", "all_gather")
def prediction_of_one_rank(file: Text) -> Found:
    """A metric of the part of this rank, where those of all are gathered."""
    for call in _calls(file, "all_gather"):
        into, mine = map(file.source, call.args[:2])
        if file.text.count(into) > 2:
            yield file.replaced((call, f"{into}[:] = [{mine}] * len({into})"))
