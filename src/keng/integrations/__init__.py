"""`keng.watch` as a callback of those who own the loop: lightning, accelerate, transformers. Each module
imports its library, which keng itself does not need."""
