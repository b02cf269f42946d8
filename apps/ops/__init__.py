"""Running the product: the demonstration command, and what is active on this computer."""
