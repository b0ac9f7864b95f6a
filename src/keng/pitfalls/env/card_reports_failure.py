r"""The kernel log tells of a card that fails.

NVIDIA's driver writes an Xid line to the kernel's log when something goes wrong on a card. Many of them are a
program's own (13, 31: an index out of range); some are the card's: memory that cannot be corrected (48, 94, 95), a
link between cards (74), a card that has fallen off the bus (79), firmware that answers no more (119, 120). PyTorch
shows these as "unspecified launch failure", an ECC error, a lost device or a hang in a collective, and no change to
the program mends them.

Cure: take the card out of use (`CUDA_VISIBLE_DEVICES`), reset it when nothing runs on it (`nvidia-smi --gpu-reset`)
or restart the machine; where it comes again, the card, its power or its slot is at fault.

Message (torch 1.8 to 2.13):

```text
RuntimeError: CUDA error: uncorrectable ECC error encountered
```

Message (nvidia-smi, and torch 2 over it):

```text
Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU
```

Machine (`it has fallen off the bus`):

```toml
[files]
"/var/log/kern.log" = '''
Nov 20 03:10:11 node1 kernel: [    0.000000] Linux version 6.8.0-45-generic
Nov 21 09:02:40 node1 kernel: [91203.7] NVRM: Xid (PCI:0000:3b:00): 31, pid=4161, name=python, Ch 00000008
Nov 21 09:14:02 node1 kernel: [91880.2] NVRM: Xid (PCI:0000:3b:00): 79, pid=4161, GPU has fallen off the bus.
'''
```

Machine (as other systems name the log: `memory that cannot be corrected`):

```toml
[files]
"/var/log/messages" = '''
Nov 21 09:14:02 node1 kernel: NVRM: Xid (PCI:0000:86:00): 48, pid='<unknown>', name=<unknown>, DBE (double bit error)
'''
```

Sound (a program's own error; a failure before the machine was restarted):

```toml
[files]
"/var/log/kern.log" = '''
Nov 20 03:10:11 node1 kernel: [80000.0] NVRM: Xid (PCI:0000:3b:00): 79, pid=2, GPU has fallen off the bus.
Nov 20 04:00:00 node1 kernel: [    0.000000] Linux version 6.8.0-45-generic
Nov 21 09:02:40 node1 kernel: [91203.7] NVRM: Xid (PCI:0000:3b:00): 13, pid=4161, Graphics Exception
Nov 21 09:02:41 node1 kernel: [91203.9] NVRM: Xid (PCI:0000:3b:00): 43, pid=4161, Ch 00000008
'''
```

Message (the kernel log; `fallen off the bus`):

```text
NVRM: Xid (PCI:0000:65:00): 79, pid=1234, name=python, GPU has fallen off the bus.
```

Message (the kernel log; `CUDA_LAUNCH_BLOCKING=1`):

```text
NVRM: Xid (PCI:0000:17:00): 31, pid=2917, name=python, Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_3 faulted @ 0x7f36_8a000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ
```

Message (the kernel log; `NVIDIA's list`):

```text
NVRM: Xid (PCI:0000:01:00): 109, pid=4124, name=python, Ch 00000028, errorString CTX SWITCH TIMEOUT, Info 0x2c014
```

Message (nvidia-smi):

```text
Unable to determine the device handle for GPU0: 0000:04:00.0: Unknown Error
```

Message (torch 2.8 to 2.13):

```text
torch.AcceleratorError: CUDA error: Invalid access of peer GPU memory over nvlink or a hardware error
```
"""

import re

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
FAILS = "the card fails, not the program: another card (CUDA_VISIBLE_DEVICES), nvidia-smi --gpu-reset or a restart; where it comes again, the card, its power or slot"
ECC, LOST = "uncorrectable ECC error", ("GPU is lost", "fallen off the bus")
LINK = "the link between two cards or a card fails, or a kernel read past another card's memory: a restart, nvidia-smi nvlink -e for its errors, then CUDA_LAUNCH_BLOCKING=1"
pitfall.answers(dict.fromkeys((ECC, *LOST), FAILS), odds=0.95)
pitfall.answers({"Invalid access of peer GPU memory over nvlink": LINK}, odds=0.85)
pitfall.answers({"Unable to determine the device handle for GPU": FAILS}, odds=0.9)

LOGS = ("/var/log/kern.log", "/var/log/syslog", "/var/log/messages")
RESTARTED = "Linux version "
XID = re.compile(r"NVRM: Xid \(PCI:([\da-fA-F:.]{4,20})\): (\d{1,3}),.*")
OF_THE_CARD = {
    48: "memory that cannot be corrected",
    62: "its controller has stopped",
    74: "a link to another card fails",
    79: "it has fallen off the bus",
    94: "memory that cannot be corrected",
    95: "memory that cannot be corrected, and not contained",
    119: "its firmware does not answer",
    120: "its firmware has failed",
}
"""Xid -> what it says of a card; all others may be a program's own."""

OF_A_PROGRAM = ("13", "31", "43", "45")


@pitfall.explains(r"NVRM: Xid \(PCI:(?P<card>[\da-fA-F:.]{4,20})\): (?P<xid>\d{1,3}),", odds=0.96)
def xid_in_words(failure: Failure) -> Hits:
    card, xid = failure.groups["card"], failure.groups["xid"]
    if xid in OF_A_PROGRAM:
        says = "a program's kernel read or wrote where it may not, or was ended; CUDA_LAUNCH_BLOCKING=1 finds its line"
    elif int(xid) in OF_THE_CARD:
        says = f"{OF_THE_CARD[int(xid)]}: reset it, or restart the machine; where it comes again, the card or its power"
    else:
        says = (
            "NVIDIA's list of Xid errors tells whether the card, the driver or a program is meant"
        )
    yield failure.hit(f"Xid {xid} of the card at {card}: {says}")


@pitfall.probes
def xid_of_the_card(machine: Machine) -> Hits:
    told: dict[tuple[str, int], tuple[str, str]] = {}
    for log in LOGS:
        since = machine.end(log).rpartition(RESTARTED)[2]
        found = ((line[1], int(line[2]), line[0]) for line in XID.finditer(since))
        told.update({(card, xid): (log, text) for card, xid, text in found if xid in OF_THE_CARD})
    for (card, xid), (log, text) in told.items():
        says = f"the driver has told Xid {xid} of the card at {card}: {OF_THE_CARD[xid]}"
        yield machine.hit(says, "nvidia-smi --gpu-reset", {log: text[:120]})
