"""Firms, their users and API tokens."""
