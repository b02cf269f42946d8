"""The language-model engine: loading, decoder, kernels, grammar-constrained generation. Knows nothing of the application."""
