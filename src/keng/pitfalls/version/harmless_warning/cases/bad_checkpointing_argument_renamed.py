# A name that has a newer one
# needs: import transformers
import warnings

from transformers import TrainingArguments

warnings.simplefilter("error")
args = TrainingArguments("out", gradient_checkpointing=True)
