"""kill -9 of a Celery worker in the middle of a claim, with each real broker: a second worker finishes the job whole.

No broker redelivers the lost message; the reconciler of the second worker finds the expired lease in the database
and wakes the job. Uses database 9 of the Redis at `CLAIMWRIGHT_TEST_REDIS` and the RabbitMQ at
`CLAIMWRIGHT_TEST_RABBITMQ`, on a queue of its own; a broker that does not answer is skipped by name.
"""

import os
import uuid

import pytest
import redis
from kombu import Connection
from kombu.exceptions import OperationalError

from tests.pipelines import CLAIMS
from tests.workers import Workplace, wait

BROKERS = {
    "Redis": os.environ.get("CLAIMWRIGHT_TEST_REDIS", "redis://127.0.0.1:6379/9"),
    "RabbitMQ": os.environ.get("CLAIMWRIGHT_TEST_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//"),
}

pytestmark = pytest.mark.integration


@pytest.fixture(params=BROKERS)
def workplace(request, tmp_path):
    url, queue = BROKERS[request.param], f"claimwright-test-{uuid.uuid4().hex[:8]}"
    with Connection(url, connect_timeout=2) as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=4)
        except OperationalError:
            pytest.skip(f"no {request.param} answers at {broker.as_uri()}")
        workplace = Workplace(
            tmp_path, CLAIMWRIGHT_JOBS="celery", CLAIMWRIGHT_BROKER_URL=url, CLAIMWRIGHT_QUEUE=queue, CLAIMWRIGHT_REDIS_URL=""
        )
        yield workplace
        workplace.close()
        with broker.channel() as channel:
            channel.queue_delete(queue)
    if request.param == "Redis":
        store = redis.Redis.from_url(url)
        store.delete(*store.keys(f"*{queue}*"), queue)


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
