# argument: config
from transformers import TimeSeriesTransformerConfig, TimeSeriesTransformerModel

config = TimeSeriesTransformerConfig(context_length=8)
model = TimeSeriesTransformerModel(config)
