"""The pages: the way of one draft, both languages, refusals, the content security policy."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from django.utils.html import escape

from apps.drafting.models import DraftJob
from apps.matters.models import Matter
from tests.webkit import CLAIMS, TEXT, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lin(client, people):
    client.force_login(people[0])
    return client


def start(client, text=TEXT) -> DraftJob:
    page = client.post("/matters/new", {"text": text, "filing_type": "invention", "title": "门锁", "reference": "A-1"})
    assert page.status_code == 302, page.content.decode()
    page = client.post(page["Location"] + "draft/", {"seed": "7"})
    assert page.status_code == 302
    return DraftJob.objects.get(pk=page["Location"].strip("/").split("/")[1])


def test_every_page_asks_for_sign_in(client, db):
    for url in ("/", "/matters/new"):
        assert client.get(url)["Location"].startswith("/accounts/login/")


def test_empty_work_list_teaches(lin):
    page = lin.get("/").content.decode()
    assert "/matters/new?sample=1" in page
    assert "技术交底书" in lin.get("/matters/new?sample=1").content.decode()


def test_from_disclosure_to_files(lin, small):
    job = start(lin)
    assert job.seed == 7
    live = lin.get(f"/jobs/{job.pk}/").content.decode()
    assert 'data-state="queued"' in live
    run_jobs()
    page = lin.get(f"/jobs/{job.pk}/").content.decode()
    assert all(claim in re.sub(r"<[^>]*>", "", page) for claim in CLAIMS)
    for text in ("CN-CLM-040", "专利法26.4", "<svg", "技术领域", "mark-error"):
        assert text in page
    assert "缺少引用基础" in page
    assert "A-1" in lin.get("/").content.decode()
    for name, start_of in (("claims.json", b"["), ("filing.json", b"{"), ("filing.docx", b"PK"), ("report.html", b"<!doctype")):
        answer = lin.get(f"/jobs/{job.pk}/files/{name}")
        assert answer.content.startswith(start_of)
        assert answer["Content-Disposition"].startswith("attachment")
    assert [c["text"] for c in json.loads(lin.get(f"/jobs/{job.pk}/files/claims.json").content)] == CLAIMS
    assert lin.get(f"/jobs/{job.pk}/files/secret_key").status_code == 404


def test_upload(lin):
    file = SimpleUploadedFile("交底书.md", TEXT.encode())
    page = lin.post("/matters/new", {"file": file, "filing_type": "utility"})
    assert page.status_code == 302
    matter = Matter.objects.get()
    assert matter.filing_type == "utility"
    assert matter.title
    assert "滑槽" in matter.disclosures.get().text


BOTH = {"text": TEXT, "file": TEXT.encode()}


@pytest.mark.parametrize("data", [{}, {"text": "   "}, {"text": TEXT, "filing_type": "other"}, BOTH])
def test_refused_forms_keep_the_page(lin, data):
    data = {key: SimpleUploadedFile("a.md", value) if key == "file" else value for key, value in data.items()}
    page = lin.post("/matters/new", {"filing_type": "invention", **data})
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()
    assert not Matter.objects.exists()


def test_unreadable_file_says_why(lin):
    page = lin.post("/matters/new", {"filing_type": "invention", "file": SimpleUploadedFile("a.docx", b"\x00nothing")})
    assert page.status_code == 400
    assert not Matter.objects.exists()


def test_failed_job_says_what_is_safe(lin, small):
    job = start(lin, TEXT + "出错")
    run_jobs()
    page = lin.get(f"/jobs/{job.pk}/").content.decode()
    assert 'class="notice error"' in page
    assert f"/matters/{job.matter_id}/" in page
    again = lin.post(f"/jobs/{job.pk}/again")
    assert again.status_code == 302 and str(job.pk) not in again["Location"]
    new = again["Location"]
    assert lin.post(f"{new}again")["Location"] == new
    assert "尚未停止" in lin.get(new).content.decode()


def test_cancel_of_a_queued_job(lin):
    job = start(lin)
    assert lin.get(f"/jobs/{job.pk}/cancel").status_code == 405
    lin.post(f"/jobs/{job.pk}/cancel")
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert "#cancel" not in lin.get(f"/jobs/{job.pk}/").content.decode()


def test_english(lin):
    lin.post("/i18n/setlang/", {"language": "en", "next": "/"})
    page = lin.get("/").content.decode()
    assert "My work" in page and "New matter" in page and 'lang="en"' in page
    lin.post("/i18n/setlang/", {"language": "zh-hans", "next": "/"})
    assert "我的工作" in lin.get("/").content.decode()


def test_no_inline_script_or_style(lin, small):
    job = start(lin)
    run_jobs()
    for url in ("/", "/matters/new", f"/matters/{job.matter_id}/", f"/jobs/{job.pk}/"):
        answer = lin.get(url)
        page = answer.content.decode()
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert " style=" not in page and "<style" not in page and " onclick" not in page
        assert "<script>" not in page


def test_text_of_the_disclosure_is_shown_whole_and_escaped(lin):
    job = start(lin, TEXT + "<script>alert(1)</script>")
    page = lin.get(f"/matters/{job.matter_id}/").content.decode()
    assert "<script>alert" not in page
    assert '<p class="heading">技术交底书</p>' in page
    for line in job.disclosure.text.splitlines():
        assert escape(line.strip("# ")) in page


def test_messages_of_findings_follow_the_language():
    from apps.ui.filing import note

    finding = {"message": "no antecedent", "message_zh": "缺少引用基础"}
    with translation.override("en"):
        assert note(finding) == "no antecedent"
    with translation.override("zh-hans"):
        assert note(finding) == "缺少引用基础"
