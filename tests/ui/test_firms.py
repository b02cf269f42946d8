"""No page of one firm answers to another: every URL of the pages is walked with a user of a second firm."""

import pytest
from django.urls import get_resolver

from apps.drafting.models import DraftJob
from apps.matters.models import Matter
from tests.ui.test_pages import start
from tests.webkit import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)
FREE = {"", "matters/new"}


def routes() -> list[str]:
    ui = next(r for r in get_resolver().url_patterns if getattr(r, "app_name", "") == "ui")
    return [str(p.pattern) for p in ui.url_patterns if str(p.pattern) not in FREE]


def test_every_url_is_404_for_another_firm(client, people, small):
    client.force_login(people[0])
    job = start(client)
    run_jobs()
    urls = [
        "/" + r.replace("<uuid:pk>", str(job.matter_id if r.startswith("matters") else job.pk)).replace("<str:name>", "filing.docx")
        for r in routes()
    ]
    assert len(urls) >= 7
    client.force_login(people[1])
    for url in urls:
        # 405 tells nothing: it is the same for ids that never existed.
        codes = {client.get(url).status_code, client.post(url).status_code}
        assert 404 in codes and codes <= {404, 405}, url
    assert "门锁" not in client.get("/").content.decode()
    assert Matter.objects.count() == DraftJob.objects.count() == 1


def test_a_foreign_disclosure_is_not_drafted(client, people):
    client.force_login(people[0])
    foreign = start(client).disclosure_id
    client.force_login(people[1])
    own = start(client)
    assert client.post(f"/matters/{own.matter_id}/draft/", {"disclosure": foreign}).status_code == 404
    assert client.post(f"/matters/{own.matter_id}/draft/", {"disclosure": "x"}).status_code == 404
