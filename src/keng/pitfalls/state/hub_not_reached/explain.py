"""Error messages: the Hub is not reached, and the files are not in the cache."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-answered")
def not_answered(failure: Failure) -> Hits:
    host, message = failure.groups["host"], failure.message
    cure = "a network, HTTPS_PROXY for a proxy, or what is in the cache alone, HF_HUB_OFFLINE=1"
    if "CERTIFICATE_VERIFY_FAILED" in message:
        cure = "a proxy shows a certificate of its own: REQUESTS_CA_BUNDLE and SSL_CERT_FILE name the file with it"
    elif failure.groups["slow"]:
        cure = "again, as a download goes on where it was; HF_HUB_DOWNLOAD_TIMEOUT=60 waits longer"
    yield failure.hit(say("does-not-answer-here", cure=host, cure_2=cure))
