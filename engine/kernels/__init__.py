"""CPU kernels whose results for one row do not depend on the other rows of the batch."""
