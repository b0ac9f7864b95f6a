r"""The Hub is not reached, and the files are not in the cache.

`from_pretrained` and `hf_hub_download` ask the Hub for files that are not in the cache (`~/.cache/huggingface`, or `HF_HOME`). A node of a cluster without a network, a proxy that is not told, a
firewall, an address that is not resolved: then only what was loaded before is there, for the same user, under the same `HF_HOME` and revision. With `HF_HUB_OFFLINE=1` or
`local_files_only=True` nothing is asked at all.

Cure: load it once where there is a network, `hf download owner/name`, with the `HF_HOME` that the job has, then `HF_HUB_OFFLINE=1`; `HTTPS_PROXY` for a proxy; or copy the folder and name its path.

Bad:

```python
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from huggingface_hub import snapshot_download

folder = snapshot_download("owner/a-model-not-in-the-cache")  # seen: `HF_HUB_OFFLINE`
```

Bad (by Transformers):

```python
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoConfig

config = AutoConfig.from_pretrained("owner/a-model-not-in-the-cache")  # seen: cache
```

Good:

```python
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from huggingface_hub import try_to_load_from_cache

there = try_to_load_from_cache("owner/a-model-not-in-the-cache", "config.json")
```

Message (transformers 4.13 to 4.50; `cache`):

```text
OSError: We couldn't connect to 'https://huggingface.co' to load this file, couldn't find it in the cached files and it looks like bert-base-uncased is not the path to a directory containing a file named config.json.
```

Message (transformers 3.1 to 4.21; `cache`):

```text
ValueError: Connection error, and we cannot find the requested files in the cached path. Please try again or make sure your Internet connection is on.
```

Message (huggingface_hub 0.22 to 2; `cache`):

```text
huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to locate the file on the Hub and we cannot find the requested files in the local cache. Please check your connection and try again or make sure your Internet connection is on.
```

Message (huggingface_hub, with local_files_only=True; `local_files_only`):

```text
huggingface_hub.errors.LocalEntryNotFoundError: Cannot find the requested files in the disk cache and outgoing traffic has been disabled. To enable hf.co look-ups and downloads online, set 'local_files_only' to False.
```

Message (huggingface_hub 0.14 to 2; `HF_HUB_OFFLINE`):

```text
huggingface_hub.errors.OfflineModeIsEnabled: Cannot reach https://huggingface.co/api/models/u/model: offline mode is enabled. To disable it, please unset the `HF_HUB_OFFLINE` environment variable.
```

Message (requests, behind a proxy that reads along; `REQUESTS_CA_BUNDLE`):

```text
requests.exceptions.SSLError: (MaxRetryError("HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /bert-base-uncased/resolve/main/config.json (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self signed certificate in certificate chain (_ssl.c:1129)')))"), '(Request ID: 1)')
```

Message (requests, on a node without a network; `HTTPS_PROXY`):

```text
requests.exceptions.ConnectionError: (MaxRetryError("HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /gpt2/resolve/main/config.json (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f8a3c0b2d90>: Failed to establish a new connection: [Errno 101] Network is unreachable'))"), '(Request ID: 2)')
```

Message (requests, a slow way; `HF_HUB_DOWNLOAD_TIMEOUT`):

```text
requests.exceptions.ReadTimeout: (ReadTimeoutError("HTTPSConnectionPool(host='huggingface.co', port=443): Read timed out. (read timeout=10)"), '(Request ID: 3)')
```

Message (huggingface_hub; `HF_TOKEN`):

```text
huggingface_hub.errors.HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api/models/u/model/tree/main
```

Message (huggingface_hub 0.14 to 2; `force_download=True`):

```text
OSError: Consistency check failed: file should be of size 4943162336 but has size 11534336 (model-00001-of-00002.safetensors).
This is usually due to network issues while downloading the file. Please retry with `force_download=True`.
```

Message (huggingface_hub 0.30 to 2, with hf_xet; `HF_HUB_DISABLE_XET=1`):

```text
RuntimeError: Data processing error: CAS service error : ReqwestMiddleware Error: Request failed after 5 retries
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import huggingface_hub, transformers")

NOT_CACHED = "the Hub was not reached, or not asked, and the files are not in the cache: hf download where there is a network, under the HF_HOME that this run has"
NOT_ASKED = "nothing is asked of the Hub (HF_HUB_OFFLINE, or local_files_only), and the files are not in the cache: hf download first, under the same HF_HOME and revision"

pitfall.answers(
    {
        "We couldn't connect to 'https://huggingface.co' to load": NOT_CACHED,
        "couldn't find it in the cached files": NOT_CACHED,
        "couldn't find them in the cached files": NOT_CACHED,
        "we cannot find the requested files in the cached path": NOT_CACHED,
        "we cannot find the requested files in the local cache": NOT_CACHED,
        "we cannot find the appropriate snapshot folder": NOT_CACHED,
        "in the disk cache and outgoing traffic has been disabled": NOT_ASKED,
        "on the local disk and outgoing traffic has been disabled": NOT_ASKED,
        "429 Client Error: Too Many Requests for url: https://huggingface.co": "the Hub answers no more questions from this address for now: a token (HF_TOKEN) has a limit of its own; of many processes one downloads, and the others run with HF_HUB_OFFLINE=1",
        "Consistency check failed: file should be of size": "the download broke off, or a proxy sent another thing: again with force_download=True, or the file by hand",
        "CAS service error": "the Hub's newer way of sending files (Xet) fails on this network: HF_HUB_DISABLE_XET=1 takes plain HTTP",
        "offline mode is enabled. To disable it, please unset": NOT_ASKED,
    },
    odds=0.93,
)


@pitfall.explains(
    r"HTTPSConnectionPool\(host='(?P<host>(?:[\w-]{1,40}\.)*(?:huggingface\.co|hf\.co|hf-mirror\.com))', port=443\): (?:Max retries exceeded|(?P<slow>Read timed out))",
    odds=0.93,
)
def not_answered(failure: Failure) -> Hits:
    host, message = failure.groups["host"], failure.message
    cure = "a network, HTTPS_PROXY for a proxy, or what is in the cache alone, HF_HUB_OFFLINE=1"
    if "CERTIFICATE_VERIFY_FAILED" in message:
        cure = "a proxy shows a certificate of its own: REQUESTS_CA_BUNDLE and SSL_CERT_FILE name the file with it"
    elif failure.groups["slow"]:
        cure = "again, as a download goes on where it was; HF_HUB_DOWNLOAD_TIMEOUT=60 waits longer"
    yield failure.hit(f"{host} does not answer here: {cure}")
