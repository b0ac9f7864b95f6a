# what is to be loaded is not there under the name that was given
# needs: import transformers
from transformers import AutoModel

model = AutoModel.from_pretrained("./out/checkpoint-500")  # run: `./out/checkpoint-500`
