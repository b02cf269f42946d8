#!/usr/bin/env python
"""Command line of Claimwright: `python manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.utils import translation

    from apps.config.env import terminal_language

    try:
        django.setup()
        translation.activate(terminal_language())
    except ImproperlyConfigured:
        pass  # the command says so itself
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
