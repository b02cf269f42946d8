"""kill -9 of a Celery worker in the middle of a claim, with a real Redis: a second worker finishes the job whole.

Redis does not redeliver the lost message; the reconciler of the second worker finds the expired lease in the
database and wakes the job. Uses database 9 of the Redis at `CLAIMWRIGHT_TEST_REDIS`, on a queue of its own.
"""

import os
import uuid

import pytest
import redis

from tests.pipelines import CLAIMS
from tests.workers import Workplace, wait

REDIS = os.environ.get("CLAIMWRIGHT_TEST_REDIS", "redis://127.0.0.1:6379/9")

pytestmark = pytest.mark.integration


@pytest.fixture
def workplace(tmp_path):
    server = redis.Redis.from_url(REDIS, socket_connect_timeout=2)
    try:
        server.ping()
    except redis.ConnectionError:
        pytest.skip(f"no Redis at {REDIS}")
    queue = f"claimwright-test-{uuid.uuid4().hex[:8]}"
    workplace = Workplace(
        tmp_path, CLAIMWRIGHT_JOBS="celery", CLAIMWRIGHT_REDIS_URL=REDIS, CLAIMWRIGHT_QUEUE=queue
    )
    yield workplace
    workplace.close()
    server.delete(queue)


def start(workplace: Workplace):
    return workplace.start(
        "-m", "celery", "-A", "apps.config", "worker", "-P", "solo", "-l", "WARNING",
        "--without-gossip", "--without-mingle", "-n", f"{uuid.uuid4().hex[:8]}@test",
    )  # fmt: skip


def test_a_second_celery_worker_finishes_the_job_of_a_killed_one(workplace):
    first = start(workplace)
    workplace.submit()
    workplace.kill_inside(first, 3)
    second = start(workplace)
    wait(lambda: ("end", CLAIMS) in [note[:2] for note in workplace.notes()])
    wait(lambda: workplace.outcome()["state"] != "running")
    second.terminate()
    second.wait(15)
    outcome = workplace.outcome()
    everything = list(range(1, CLAIMS + 1))
    assert (outcome["state"], outcome["attempts"]) == ("done", 2)
    assert [claim["number"] for claim in outcome["result"]["claims"]] == everything
    assert outcome["claims"] == everything
    assert [number for what, number, _ in workplace.notes() if what == "end"] == everything
    assert [n for what, n, pid in workplace.notes() if what == "begin" and pid == second.pid] == [3, 4, 5, 6]
