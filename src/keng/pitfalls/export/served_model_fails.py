r"""A server of models cannot start a model, or feeds it otherwise than it was configured.

TorchServe runs a handler in a worker process and knows only that it "died": what it raised stands above, in the lines of the same worker. It wants from
the handler a list with one entry for each request of a batch, and from its module one class alone, or a function `handle`. NVIDIA's Triton Server loads a TorchScript file named `model.pt` by a
`config.pbtxt`, whose inputs, sizes and types must be the model's; with `max_batch_size` above zero, `dims` leave out the batch.

Cure: the traceback above "Worker died", and `torchserve --foreground`; the handler run by hand; for a slow model
`default_response_timeout` and `default_startup_timeout`. For Triton Server: `backend: "pytorch"` and `1/model.pt`, inputs called `INPUT__0` in their
order, `dims` without the batch or `max_batch_size: 0`, data of the type that is configured.

Bad:

```python
import subprocess

subprocess.run(["torchserve", "--start", "--ncs", "--models", "net=net.mar"], check=True)
```

Good:

```python
import subprocess

subprocess.Popen(["torchserve", "--foreground", "--ncs", "--models", "net=net.mar"])
```

Message (TorchServe; `above`):

```text
2021-09-03 14:26:44,746 [WARN ] W-9000-mymodel1_1.0 org.pytorch.serve.wlm.BatchAggregator - Load model failed: mymodel1, error: Worker died.
```

Message (TorchServe, to its client; `above`):

```text
{ "code": 507, "type": "InternalServerException", "message": "Worker died." }
```

Message (TorchServe; `above`):

```text
2020-12-01 14:17:59,926 [DEBUG] W-9005-DocTag_1.0 org.pytorch.serve.wlm.WorkerThread - Backend worker monitoring thread interrupted or backend worker process died.
```

Message (TorchServe; `two minutes`):

```text
org.pytorch.serve.wlm.WorkerInitializationException: Backend worker startup time out.
```

Message (TorchServe, a handler that returns five of one; `5`):

```text
model: bert, number of batch response mismatched, expect: 1, got: 5.
```

Message (TorchServe; `DocumentTaggerHandler, InputFeatures`):

```text
  File "/home/venv/lib/python3.6/site-packages/ts/model_loader.py", line 106, in load
    model_class_definitions))
ValueError: Expected only one class in custom service code or a function entry point [<class 'handler.DocumentTaggerHandler'>, <class 'handler.InputFeatures'>]
```

Message (TorchServe; `no class and no function`):

```text
ValueError: Expected only one class in custom service code or a function entry point []
```

Message (TorchServe; `BaseHandler`):

```text
ValueError: Expect handle method in class <class 'handler.Service'>
```

Message (Triton Server; `output 308`):

```text
failed to load 'text_recognition' version 1: Invalid argument: unexpected inference output '308', allowed outputs are: 307
```

Message (Triton Server; `inputs 0`):

```text
tritonclient.utils.InferenceServerException: load failed for model 'test_load_model': version 1: Invalid argument: unable to load model 'test_load_model', configuration expects 0 inputs, model provides 2;
```

Message (Triton Server; `config.pbtxt`):

```text
Poll failed for model directory 'pytorch_classifier': Invalid model name: Could not determine backend for model 'pytorch_classifier' with no backend in model configuration. Expected model name of the form 'model.<backend_name>'.
```

Message (Triton Server; `out__0`):

```text
[inference:0 3] unexpected shape for output 'out__0', model configuration shape is [20,37], inference shape is [20,37]
```

Message (Triton Server; `users`):

```text
UNAVAILABLE: Invalid argument: unable to load model 'recommendation, unexpected datatype INT64 for input 'users', expecting TYPE_FP32
```

Message (Triton Server's Python backend; `shm-size`):

```text
tritonclient.utils.InferenceServerException: [400] Failed to process the request(s) for model instance 'hifigan_0', message: Stub process is not healthy.
```

Message (gunicorn; `timeout`):

```text
$ gunicorn app:app --preload --workers 3    # app.py: model = torch.load('model.pt')
[2020-09-09 17:35:00 +0200] [26132] [CRITICAL] WORKER TIMEOUT (pid:26255)
[2020-09-09 17:35:00 +0200] [26300] [INFO] Booting worker with pid: 26300
```

Message (TorchServe; `list`):

```text
2021-05-25 17:02:29,330 [INFO ] W-9000-bert-stdout org.pytorch.serve.wlm.WorkerLifeCycle - model: bert, Invalid return type: <class 'torch.Tensor'>.
```

Message (TorchServe; `default_response_timeout`):

```text
org.pytorch.serve.wlm.WorkerInitializationException: Backend worker did not respond in given time
```

Message (TorchServe; `max_response_size`):

```text
io.netty.handler.codec.CorruptedFrameException: Message size exceed limit: 15615479
```

Message (TorchServe, to its client; `above`):

```text
{ "code": 503, "type": "InternalServerException", "message": "Prediction failed" }
```

Message (TorchServe, to its client; `max_request_size`):

```text
io.grpc.StatusRuntimeException: RESOURCE_EXHAUSTED: gRPC message exceeds maximum size 6553500: 10838210
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="TorchServe or Triton Server")


@pitfall.explains(
    r"(?:error: |\"message\": ?\"|'message': ?')Worker died\b",
    r"[Bb]ackend worker (?:monitoring thread interrupted or backend worker )?process died",
    odds=0.75,
)
def worker_died(failure: Failure) -> Hits:
    yield failure.hit(
        "the handler has failed in its worker: what it raised stands above, in the lines of the same worker, or nowhere where memory was out"
    )


@pitfall.explains(
    r"only one class in custom service code[^\[]{1,40}\[(?P<has>[^\]]{0,999})", odds=0.96
)
def handler_not_found(failure: Failure) -> Hits:
    names = re.findall(r"([^'.]{1,80})'>", failure.groups["has"])
    has = f"{len(names)} classes, {', '.join(names[:4])}" if names else "no class and no function"
    yield failure.hit(
        f"the handler's module defines {has}: one class alone, the others in a file of --extra-files, or a function handle(data, context)"
    )


@pitfall.explains(
    r"number of batch response mismatched(?:, expect: (?P<wants>\d+), got: (?P<got>\d+))?",
    odds=0.95,
)
def answers_of_another_number(failure: Failure) -> Hits:
    of = "{got} answers to {wants} requests".format(**failure.groups)
    of = of if failure.groups["got"] else "another number of answers than requests"
    yield failure.hit(f"the handler returns {of}: one entry of a list for each")


@pitfall.explains(
    r"configuration expects (?P<wants>\d+) (?P<what>inputs|outputs), model provides (?P<has>\d+)",
    r"unexpected inference (?P<what>input|output) '(?P<wants>[^']{1,80})', allowed (?:in|out)puts are: (?P<has>[^;]{0,300}\w)",
    odds=0.96,
)
def configured_otherwise(failure: Failure) -> Hits:
    wants, what, has = (failure.groups[name] for name in ("wants", "what", "has"))
    says = f"config.pbtxt names {what} {wants}, and the model has {has}: see `input` and `output`"
    yield failure.hit(says)


@pitfall.explains(
    r"unexpected (?P<what>shape|datatype)[\w ]{1,40}put '(?P<name>[^']{1,60})'", odds=0.93
)
def fed_otherwise(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(
        f"`{name}` has another {what} than config.pbtxt says: dims leave out the batch where max_batch_size is above zero"
    )


@pitfall.explains(r"[Ss]tub process (?:'[^']{1,80}' )?(?:is not healthy|exited)", odds=0.85)
def stub_ended(failure: Failure) -> Hits:
    yield failure.hit(
        "the process of the Python backend has ended: its log above tells why, else shared memory (--shm-size, --ipc=host) or memory is out"
    )


@pitfall.explains(r"WORKER TIMEOUT \(pid:\d+\)", odds=0.85)
def worker_silent(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            "a worker was silent for gunicorn's 30 seconds, loading or computing: --timeout 120; after --preload load the model in each worker, as threads of the parent are not there"
        )


pitfall.answers(
    {
        "Backend worker startup time out": "the handler did not load its model within two minutes: see what it waits for",
        "Could not determine backend for model '": 'config.pbtxt is not read or names no backend: backend: "pytorch", and the file 1/model.pt',
        "Invalid return type: <class '": "the handler gives a tensor or another thing: a list with one entry for each request, output.tolist()",
        "worker did not respond in given time": "the handler took longer than default_response_timeout, two minutes: raise it, or see where it hangs",
        "Expect handle method in class": "the handler's class has no method handle(data, context): derive it from BaseHandler, or write it",
        "gRPC message exceeds maximum size 6553500": "the request is larger than max_request_size in config.properties, 6.5 MB: raise it, or send less",
        "Message size exceed limit: ": "the answer is larger than max_response_size in config.properties, 6.5 MB: raise it, or send less",
        '"message": "Prediction failed"': "the handler has raised: its traceback stands in model_log.log, above this line",
    },
    odds=0.9,
)
