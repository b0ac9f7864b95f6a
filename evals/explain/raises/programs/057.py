# argument: schema["fields"]["content"]
from transformers.utils.chat_parsing import response_templates

schema = {"fields": {"content": {"open": "<c>", "close": "</c>", "join": ", "}}}
response_templates._build_field("content", schema["fields"]["content"])
