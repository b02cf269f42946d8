"""The embedded worker as a process: kill -9 in the middle of a claim, where the next worker finishes and no claim is written
twice; and the loading of the model while it waits."""

import pytest

from tests.pipelines import CLAIMS
from tests.workers import Workplace, wait


@pytest.fixture
def workplace(tmp_path):
    workplace = Workplace(tmp_path)
    yield workplace
    workplace.close()


def test_a_second_worker_goes_on_where_the_first_was_killed(workplace):
    workplace.submit()
    first = workplace.start("manage.py", "runworker")
    workplace.kill_inside(first, 3)
    second = workplace.start("manage.py", "runworker")
    wait(lambda: ("end", CLAIMS) in [note[:2] for note in workplace.notes()])
    wait(lambda: workplace.outcome()["state"] != "running")
    second.terminate()
    assert second.wait(10) == 0
    outcome = workplace.outcome()
    everything = list(range(1, CLAIMS + 1))
    assert (outcome["state"], outcome["attempts"]) == ("done", 2)
    assert [claim["number"] for claim in outcome["result"]["claims"]] == everything
    assert outcome["claims"] == everything
    assert [number for what, number, _ in workplace.notes() if what == "end"] == everything
    begun = [(number, pid) for what, number, pid in workplace.notes() if what == "begin"]
    assert [number for number, pid in begun if pid == first.pid] == [1, 2, 3]
    assert [number for number, pid in begun if pid == second.pid] == [3, 4, 5, 6]


def test_a_waiting_worker_loads_the_model_and_a_missing_one_does_not_end_it(tmp_path):
    opened = tmp_path / "opened"
    place = Workplace(tmp_path, CLAIMWRIGHT_ENGINE="tests.pipelines.noted_engine", CLAIMWRIGHT_TEST_OPENED=str(opened))
    try:
        worker = place.start("manage.py", "runworker")
        wait(opened.exists)
        place.submit()
        wait(lambda: place.outcome()["state"] == "failed")
        assert worker.poll() is None
    finally:
        place.close()
