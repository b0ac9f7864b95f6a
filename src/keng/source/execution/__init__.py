"""Abstract execution: what the objects of a training program go through, across functions and files."""
