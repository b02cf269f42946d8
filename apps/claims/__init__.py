"""Chinese claim sets: parsing, claim tree, terms, drawing signs and the formal drafting rules.

Pure domain code: no database, no model, no network. Start at `parse.parse_claims` and `check.check_claims`.
"""
