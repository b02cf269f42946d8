"""Drafting: jobs that turn a disclosure into a filing, and the pipeline they run."""
