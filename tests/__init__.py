"""Tests of Claimwright; the folders mirror the tree."""
