"""Matters (案件) and the disclosures (技术交底书) they start from."""
