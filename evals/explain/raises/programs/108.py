# argument: mode="regression"
from torch_geometric.explain import Explainer, GNNExplainer
from torch_geometric.explain.metric import fidelity
from torch_geometric.nn import GCNConv

net = GCNConv(4, 1)
explainer = Explainer(
    net,
    GNNExplainer(epochs=1),
    explanation_type="model",
    node_mask_type="object",
    model_config=dict(mode="regression", task_level="node", return_type="raw"),
)
print(fidelity(explainer, explanation=None))
