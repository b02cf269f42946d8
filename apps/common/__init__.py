"""What every application shares: errors, base models, firm scoping, health."""
