"""Readers of file formats, each from bytes to the objects of `keng.ckpt.checkpoint`."""
