"""C++ and CUDA sources."""
