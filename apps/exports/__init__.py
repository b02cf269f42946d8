"""Exports of a finished filing: DOCX in the office's layout, a self-contained HTML report, and plain files.

Pure functions on the filing dictionary that the drafting pipeline returns; nothing here reads the database.
"""
