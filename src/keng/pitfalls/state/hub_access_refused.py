r"""A repository of the Hub is not given to the user who asks.

A gated model (Llama, Gemma, many of Mistral's) is given to those who have accepted its terms, on its page, and only under their token. A program without a token, as in a container, a job
of a cluster or another user's notebook, asks as nobody: the Hub answers 401. With the token of a user who has not been let in, or a fine-grained token that does not name
gated repositories, it answers 403. A private repository is not there at all for others.

Cure: accept the terms on the page of the model; `hf auth login` once, or the environment variable `HF_TOKEN` where the program runs, or `token=...`; see
`huggingface_hub.whoami()` for whom the Hub takes it.

Bad:

```python
import os

os.environ["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1"  # as where nobody logged in
import huggingface_hub

user = huggingface_hub.whoami(token=None)  # seen: no token
```

Good:

```python
from huggingface_hub import get_token

token = get_token()
known = token is not None
```

Message (transformers 4.30 to 5; `no token`):

```text
OSError: You are trying to access a gated repo.
Make sure to have access to it at https://huggingface.co/meta-llama/Llama-3.2-1B.
401 Client Error. (Request ID: Root=1-66f2)

Cannot access gated repo for url https://huggingface.co/meta-llama/Llama-3.2-1B/resolve/main/config.json.
Access to model meta-llama/Llama-3.2-1B is restricted. You must have access to it and be authenticated to access it. Please log in.
```

Message (huggingface_hub; `google/gemma-2b`):

```text
huggingface_hub.errors.GatedRepoError: 403 Client Error. (Request ID: Root=1-66f2)

Cannot access gated repo for url https://huggingface.co/google/gemma-2b/resolve/main/config.json.
Access to model google/gemma-2b is restricted and you are not in the authorized list. Visit https://huggingface.co/google/gemma-2b to ask for access.
```

Message (transformers 4 and 5; `google/gemma-2b`):

```text
OSError: google/gemma-2b is a gated repository. Make sure to request access at https://huggingface.co/google/gemma-2b and pass a token having permission to this repo either by logging in with `hf auth login` or by passing `token=<your_token>`.
```

Message (the Hub, to a fine-grained token; `gated`):

```text
403 Forbidden: Please enable access to public gated repositories in your fine-grained token settings to view this repository..
```

Message (huggingface_hub; `login`):

```text
huggingface_hub.errors.LocalTokenNotFoundError: Token is required (`token=True`), but no token found. You need to provide a token or be logged in to Hugging Face with `hf auth login` or `huggingface_hub.login`.
```

Message (huggingface_hub 0.17 to 0.36; `hf auth login`):

```text
requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/api/whoami-v2
```

Message (the Hub, to push_to_hub; `write`):

```text
403 Forbidden: You don't have the rights to create a model under the namespace "u".
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import huggingface_hub")

NOBODY = "no token came with the question: HF_TOKEN where the program runs (container, job, kernel), or hf auth login there"
NOT_LET_IN = "the user of the token has not been let in: accept the terms on the model's page, or let a fine-grained token read gated repositories"


@pitfall.explains(
    r"trying to access a gated repo\.(?:\sMake sure to have access to it at https?://[\w.-]{3,60}/(?P<name>[\w./-]{1,190}\w))?",
    r"Cannot access gated repo for url https?://[\w.-]{3,60}/(?:api/)?(?:(?:models|datasets)/)?(?P<name>[\w-]{1,96}/[\w.-]{0,95}[\w-])",
    r"(?P<name>[\w-]{1,96}/[\w.-]{1,96}) is a gated repository\. Make sure to request",
    r"Access to (?:model|dataset) (?P<name>[\w./-]{1,190}) is restricted",
    odds=0.96,
)
def gated(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    who = f"`{name}`" if name else "the model"
    told = failure.message + failure.around
    says = "the terms on its page accepted, and the token of that user where the program runs (HF_TOKEN, or hf auth login)"
    if "403 Client Error" in told or "not in the authorized list" in told:
        says = NOT_LET_IN
    elif "401 Client Error" in told:
        says = NOBODY
    yield failure.hit(f"{who} is gated: {says}")


pitfall.answers(
    {
        "awaiting a review from the repo authors": "the owners of the model have not let this user in yet: wait for their mail, or take an open model",
        "enable access to public gated repositories in your fine-grained token": NOT_LET_IN,
        "the rights to create a model under the namespace": "the user of the token may not write there: a token with the role write, and a name that begins with that user or an organization of his",
        "Token is required (": NOBODY,
        "Token is required to call the /whoami-v2": NOBODY,
        "401 Client Error: Unauthorized for url: https://huggingface.co": "the Hub takes the token for nobody's, as it is old, cut off, or not there: HF_TOKEN and hf auth whoami, then hf auth login anew",
        "Invalid user token.": "the Hub takes the token for nobody's, as it is old, cut off, or not there: HF_TOKEN and hf auth whoami, then hf auth login anew",
    },
    odds=0.94,
)
