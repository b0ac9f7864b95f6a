# argument: include_boundaries="all"
from sklearn.utils.validation import check_scalar

rate = check_scalar(0.5, "rate", float, min_val=0.0, include_boundaries="all")
