"""`manage.py demo` in a process of its own: says where to go, answers there, and leaves nothing running."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from apps.ops.processes import listening

ROOT = Path(__file__).resolve().parents[2]


def test_demo_answers_and_stops(tmp_path):
    env = {**os.environ, "CLAIMWRIGHT_VAR": str(tmp_path / "var"), "CLAIMWRIGHT_DEMO_PASSWORD": "example-password"}
    env.pop("DATABASE_URL", None)
    command = [sys.executable, ROOT / "manage.py", "demo", "--port", "8600"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as demo:
        try:
            printed = []
            for line in demo.stdout:
                printed.append(line)
                if "Ctrl-C" in line:
                    break
            text = "".join(printed)
            url = re.search(r"http://127\.0\.0\.1:(\d+)/", text)
            assert url and "demo" in text and "example-password" in text and "  3. " in text
            with urllib.request.urlopen(f"{url[0]}healthz", timeout=20) as answer:
                assert answer.status == 200
        finally:
            demo.send_signal(signal.SIGINT)
            assert demo.wait(30) == 0
    assert not listening(int(url[1]))
