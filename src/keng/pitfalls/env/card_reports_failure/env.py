"""The machine: the kernel log reports a failing GPU."""

from __future__ import annotations

import re

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.pitfalls.env.card_reports_failure._shared import OF_THE_CARD
from keng.rules import probes

LOGS = ("/var/log/kern.log", "/var/log/syslog", "/var/log/messages")


RESTARTED = "Linux version "


XID = re.compile(r"NVRM: Xid \(PCI:([\da-fA-F:.]{4,20})\): (\d{1,3}),.*")


@probes
def xid_of_the_card(machine: Machine) -> Hits:
    told: dict[tuple[str, int], tuple[str, str]] = {}
    for log in LOGS:
        since = machine.end(log).rpartition(RESTARTED)[2]
        found = ((line[1], int(line[2]), line[0]) for line in XID.finditer(since))
        told.update({(card, xid): (log, text) for card, xid, text in found if xid in OF_THE_CARD})
    for (card, xid), (log, text) in told.items():
        says = say("driver-logged-xid", xid=xid, card=card, meaning=OF_THE_CARD[xid])
        yield machine.hit(says, "nvidia-smi --gpu-reset", {log: text[:120]})
