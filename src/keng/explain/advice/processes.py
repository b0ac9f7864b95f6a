"""What the words of processes that work together tell of why they failed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

WHY_NCCL = {
    "system": "a small /dev/shm of a container (--shm-size=8g), or the network between the ranks",
    "cuda": "the card's memory used up, two ranks on one card, or a card that is newer than this NCCL",
    "usage": "two ranks on one card, or more processes than cards: torch.cuda.set_device(local_rank) first",
    "argument": "two ranks on one card, or more processes than cards: torch.cuda.set_device(local_rank) "
    "first",
    "internal": "the network, or cards that do not reach each other (NCCL_P2P_DISABLE=1 as a test)",
    "remote": "another rank has ended, whose error stands first, or the network between them broke",
}
"""A word of what NCCL calls its failure -> what is behind it most often."""

LAST = re.compile(r"Last error:\s{1,9}(?P<said>\S[^\n]{3,160})")

PACKAGES = {
    "hccl": "torch_npu",
    "ccl": "oneccl_bindings_for_pytorch",
    "xla": "torch_xla.distributed.xla_backend",
    "smddp": "smdistributed.dataparallel.torch.torch_smddp",
}
"""Backends that a package brings -> what is imported for it."""

HERE = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1")


def of_nccl(what: str, message: str) -> str:
    """One line about a failure of NCCL's, which it calls "unhandled system error"."""
    last = LAST.search(message)
    why = next((why for word, why in WHY_NCCL.items() if word in what), "see its last lines")
    said = f"{what}, {last['said'].strip()}" if last is not None else what
    return f"NCCL failed ({said}): {why}; NCCL_DEBUG=WARN makes it say which"


def not_reached(where: str, why: str, through: str) -> str:
    """One line about an address that NCCL does not reach, `why` in its words; `through` is InfiniBand."""
    if "no socket interface" in why:
        return (
            "NCCL finds no network interface: NCCL_SOCKET_IFNAME names none of this machine, as "
            "`ip -br addr` has them"
        )
    if through:
        return (
            f"InfiniBand or RoCE does not carry NCCL's data ({why}): NCCL_IB_DISABLE=1 as a test, then "
            "NCCL_IB_HCA and NCCL_IB_GID_INDEX"
        )
    if re.search(r"closed by|reset by|broken pipe", why):
        return f"the rank at {where} is gone ({why}): it has ended, and its own error comes first"
    return (
        f"NCCL does not reach {where} ({why}): a firewall, or an interface that others cannot see; "
        "NCCL_SOCKET_IFNAME names the right one"
    )


def not_met(address: str, port: str, message: str) -> str:
    """One line about a store of rank 0 that does not answer."""
    if "10049" in message:
        return (
            f"Windows finds another address under the name {address} and goes on to the next: harmless "
            "where the run goes on, else MASTER_ADDR=127.0.0.1"
        )
    if HERE.fullmatch(address):
        return (
            f"{address}:{port} did not answer: rank 0 of this machine was not started or has ended, see "
            "its error; on several machines MASTER_ADDR is the first one's address"
        )
    if re.search(r"refused|errno: 111\b", message):
        return (
            f"{address} refuses port {port}: rank 0 is not started there, has ended, or listens at "
            "another port; see its log"
        )
    return f"{address}:{port} did not answer: rank 0 is not there, has died, or a firewall stands between"


def unknown_backend(name: str) -> str:
    package = PACKAGES.get(name.lower())
    if package is not None:
        return (
            f"`{name}` is the backend of another package, which is imported first: import {package}"
        )
    return f"`{name}` is no backend: nccl for cards, gloo for the CPU"


def waited_in_vain(op: str, number: str) -> str:
    """One line about a collective that ran into its time-out, by its number where the message has it."""
    if number in ("0", "1"):
        return (
            f"the first {op} of all never ended: rank 0 works alone before it (a download, data: "
            "timeout=), or the cards do not reach each other: NCCL_DEBUG=INFO, NCCL_P2P_DISABLE=1 as a test"
        )
    return (
        f"some ranks never came to the {op} that others waited in: a branch, fewer batches, a slow save "
        "(timeout=), or an error that stands before; `keng run` under torchrun names the lines"
    )


def off_the_first(failure: Failure, first: str, there: str) -> str:
    """What to do about a part of a model that lies elsewhere than on the first card of its DataParallel."""
    spread = any("transformers/trainer.py" in frame.posix for frame in failure.frames)
    code = failure.code.text if failure.code is not None else failure.told
    if there != "cpu" and (spread or "device_map" in code):
        return (
            "the model is spread over the cards, as by device_map, and a Trainer wraps it in "
            "DataParallel as well: device_map={'': 0} and CUDA_VISIBLE_DEVICES=0, or torchrun"
        )
    cure = f"model.to('{first}') before the call; on the CPU alone model.module"
    if there != "cpu":
        cure = f"model.to('{first}'), or device_ids that begin with {there.removeprefix('cuda:')}"
    return (
        f"the model, or a part of it, lies on {there}, and device_ids begins with {first}: {cure}"
    )


def not_set(name: str) -> str:
    """One line about a variable of the environment that a launcher sets."""
    if name.startswith("MASTER"):
        return (
            f"`{name}` is not set: torchrun sets it; where processes are spawned, "
            "os.environ['MASTER_ADDR'] = 'localhost' and MASTER_PORT before init_process_group"
        )
    return (
        f"`{name}` is not set: torchrun sets it, and plain python, a notebook, mpirun or srun do not: "
        "torchrun --nproc-per-node=1, or the program's way for one process"
    )


SENT = {
    "HUP 1": "the terminal it began in was closed (SIGHUP), which nohup does not keep from torchrun: tmux or "
    "screen",
    "INT 2": "it was stopped from the keyboard (SIGINT): what stood still before tells why",
}


def told_to_end(signal: str) -> str:
    """One line about the signal, "HUP" or "1", that has ended a launcher."""
    other = (
        "it was told to end (SIGTERM) by a scheduler, a limit or a person: `sacct -j` or `kubectl describe "
        "pod` tells which"
    )
    return next((says for by, says in SENT.items() if signal in by.split()), other)


def of_two_kinds(op: str) -> str:
    """One line about plain tensors that meet sharded ones in this operation, "_foreach_lerp_"."""
    if re.match(r"_foreach|_fused|stack$|lerp|(?:mul|add|addcmul|addcdiv|div)_$", op):
        return (
            "plain and sharded parameters go through one call, of an optimizer or clip_grad_norm_: shard "
            "all of them, or each kind by itself (foreach=False for an optimizer)"
        )
    return (
        "a plain tensor meets a sharded weight: a method is called past the forward that gathers it "
        "(register_fsdp_forward_method), a parameter was made after sharding, or tensor parallelism wants "
        "its input as a DTensor"
    )


ALONE = re.compile(
    r"\b(?:single|one|1) (?:gpu|card|device)\b|\bnum-?gpus[= ]1\b|单(?:卡|GPU|张)", re.IGNORECASE
)


def without_group(failure: Failure) -> str:
    """One line about a process group that was never made, by who asks for it."""
    if failure.passed_through("torch/nn/modules/batchnorm.py"):
        return (
            "SyncBatchNorm asks for the other processes, and there are none: BatchNorm in its place "
            "for one process (SyncBN in a config: BN), or start it by its launcher"
        )
    if not failure.frames or ALONE.search(failure.told):
        return (
            "no init_process_group in this process: on one card mostly SyncBatchNorm asks for it "
            "(SyncBN in a config: BN), else start it by torchrun or the program's launcher, with "
            "one process too"
        )
    return (
        "no init_process_group in this process: first thing in each, started by torchrun or the "
        "program's launcher; a run on one card leaves that option out, or asks "
        "dist.is_initialized()"
    )


SEVERAL = re.compile(
    r"\bDataParallel\b|\bmulti(?:ple)?[- ]gpus?\b|\bgpus?[= ]{1,2}[2-9]\b|\b[2-9] gpus\b|多(?:卡|GPU)",
    re.IGNORECASE,
)


EACH = re.compile(r"DistributedDataParallel|\bDDP\b|torchrun|torch[./]distributed|local_rank")
"""What is written where each card has a process of its own."""


def on_several_cards(failure: Failure) -> bool:
    """Whether a replica of DataParallel raised it, or several cards of one process are told of beside it."""
    if failure.passed_through("torch/nn/parallel/parallel_apply.py"):
        return True
    return failure.tells(SEVERAL) and not failure.tells(EACH)
