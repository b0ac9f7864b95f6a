assert tied and model.head.weight.data_ptr() != model.embed.weight.data_ptr()
