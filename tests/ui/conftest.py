"""Fixtures of these tests."""

from tests.webkit import people, small  # noqa: F401
