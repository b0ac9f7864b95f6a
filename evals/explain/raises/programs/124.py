# argument: empty_target_action="drop"
from torchmetrics.retrieval import RetrievalPrecisionRecallCurve

curve = RetrievalPrecisionRecallCurve(empty_target_action="drop")
