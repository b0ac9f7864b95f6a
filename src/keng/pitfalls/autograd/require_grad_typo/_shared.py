"""What several surfaces of require-grad-typo share."""

from __future__ import annotations

TYPOS = (
    *("require_grad", "required_grad", "requires_grads", "require_grads", "requiers_grad"),
    *(
        "requires_gard",
        "require_gard",
        "requires_gradient",
        "require_gradient",
        "requires_gradients",
    ),
    *(
        "reqires_grad",
        "requries_grad",
        "requirs_grad",
        "requres_grad",
        "reuires_grad",
        "requiresgrad",
    ),
    *("requires_gra", "requires_garad", "requires_Grad", "requires_grade", "require_grad_"),
)
