"""The Django product: matters, drafting jobs, pages and API. Imports point one way, see docs."""
