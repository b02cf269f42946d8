"""REST v1: submit, follow, cancel, documents; tokens; no data across firms."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from apps.accounts.services import token_create, token_revoke
from apps.drafting.models import DraftJob
from tests.webkit import CLAIMS, TEXT, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def caller(user) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_create(user=user, name='test')[1]}")
    return client


@pytest.fixture
def lin(people, small):
    return caller(people[0])


def submit(client, **data) -> dict:
    answer = client.post("/api/v1/jobs/", {"text": TEXT, **data}, format="json")
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_from_text_to_documents(lin):
    job = submit(lin, name="门锁", seed=3, model="small")
    assert (job["state"], job["name"], job["seed"], job["model"]) == ("queued", "门锁", 3, "small")
    url = f"/api/v1/jobs/{job['id']}/"
    assert lin.get(url + "documents").status_code == 409
    run_jobs()
    assert lin.get(url).json()["state"] == "done"
    answer = lin.get(url + "documents").json()
    assert [c["text"] for c in answer["filing"]["claims"]] == CLAIMS
    assert set(answer["files"]) == {"claims.json", "filing.json", "filing.docx", "report.html"}
    for name, address in answer["files"].items():
        assert lin.get(address).status_code == 200, name
    assert lin.get(url + "documents/other").status_code == 404
    assert lin.get("/api/v1/jobs/").json()["results"][0]["id"] == job["id"]


def test_events_as_list_and_as_stream(lin):
    url = f"/api/v1/jobs/{submit(lin)['id']}/events"
    run_jobs()
    page = lin.get(url).json()
    assert page["state"] == "done"
    assert [e["data"]["number"] for e in page["events"] if e["kind"] == "claim"] == [1, 2, 3, 4]
    last = page["events"][-2]["id"]
    assert len(lin.get(f"{url}?after={last}").json()["events"]) == 1
    stream = lin.get(url, headers={"Accept": "text/event-stream", "Last-Event-ID": str(last)})
    assert stream["Content-Type"].startswith("text/event-stream")
    lines = [json.loads(x[6:]) for x in b"".join(stream.streaming_content).decode().splitlines() if x[:6] == "data: "]
    assert [e["kind"] for e in lines if "id" in e] == ["done"] and lines[-1]["kind"] == "end"


def test_file_upload(lin):
    answer = lin.post("/api/v1/jobs/", {"file": SimpleUploadedFile("a.md", TEXT.encode())}, format="multipart")
    assert answer.status_code == 201
    assert "滑槽" in DraftJob.objects.get().disclosure.text


@pytest.mark.parametrize(
    "data", [{}, {"text": " "}, {"text": TEXT, "seed": -1}, {"text": TEXT, "seed": "x"}, {"text": TEXT, "filing_type": "x"}]
)
def test_invalid_requests(lin, data):
    answer = lin.post("/api/v1/jobs/", data, format="json")
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert not DraftJob.objects.exists()


def test_unreadable_file_is_422(lin):
    answer = lin.post("/api/v1/jobs/", {"file": SimpleUploadedFile("a.docx", b"\x00nothing")}, format="multipart")
    assert answer.status_code == 422
    assert set(answer.json()) == {"code", "message"}


def test_quota_is_429(lin, small):
    small.CLAIMWRIGHT_JOBS_PER_FIRM = 1
    submit(lin)
    assert lin.post("/api/v1/jobs/", {"text": TEXT}, format="json").status_code == 429


def test_cancel(lin):
    job = submit(lin)
    answer = lin.post(f"/api/v1/jobs/{job['id']}/cancel")
    assert answer.json()["state"] == "cancelled"
    assert lin.get(f"/api/v1/jobs/{job['id']}/cancel").status_code == 405


def test_tokens(people, small):
    client = APIClient()
    assert client.get("/api/v1/jobs/").status_code == 401
    for header in ("Token", "Token wrong", "Token a b", "Bearer x"):
        client.credentials(HTTP_AUTHORIZATION=header)
        assert client.get("/api/v1/jobs/").status_code == 401, header
    token, secret = token_create(user=people[0], name="t")
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert client.get("/api/v1/jobs/").status_code == 200
    token_revoke(token)
    assert client.get("/api/v1/jobs/").status_code == 401


def test_another_firm_finds_nothing(lin, people):
    url = f"/api/v1/jobs/{submit(lin)['id']}/"
    run_jobs()
    wang = caller(people[1])
    assert wang.get("/api/v1/jobs/").json()["results"] == []
    for part in ("", "events", "documents", "documents/filing.docx"):
        assert wang.get(url + part).status_code == 404, part
    assert wang.post(url + "cancel").status_code == 404
