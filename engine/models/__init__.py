"""Model architectures. One decoder covers the Llama family: Llama, Qwen2 and Qwen3."""
