"""A person drafts a filing in a browser: sign in, paste, start, watch, read, download, change language, stop."""

import re

import pytest

from tests.webkit import CLAIMS, TEXT

pytestmark = pytest.mark.e2e

SAMPLE = "/matters/new?sample=1"


@pytest.fixture
def signed_in(page):
    page.goto("/")
    page.get_by_label("用户名").fill("lin")
    page.get_by_label("密码").fill("correct horse")
    page.get_by_role("button", name="登录").click()
    page.wait_for_url("**/")
    return page


def begin(page, text: str = TEXT) -> None:
    page.goto("/matters/new")
    page.get_by_label("粘贴文本").fill(text)
    page.get_by_label("案件名称").fill("门锁防夹装置")
    page.get_by_role("button", name="创建案件").click()
    page.get_by_role("button", name="开始撰写").click()
    page.wait_for_url("**/jobs/**")


def test_draft_watched_from_paste_to_result(signed_in, worker, shot):
    page = signed_in
    shot(page, "1-work-empty")
    page.goto(SAMPLE)
    shot(page, "2-new")
    begin(page)
    assert page.locator("#stage").inner_text() == "等待开始"
    shot(page, "3-queued")
    page.get_by_text("没有正在运行的工作进程").wait_for(timeout=20000)
    shot(page, "3-waiting")
    page.get_by_role("link", name="案件", exact=True).click()
    shot(page, "3-matter")
    page.go_back()
    worker()
    page.locator("#claim-2 .text").wait_for()
    page.get_by_text("41.5").first.wait_for()
    shot(page, "4-live")
    page.get_by_role("heading", name="下载").wait_for(timeout=60000)
    for claim in CLAIMS:
        assert claim in page.locator("main").inner_text()
    shot(page, "5-result")
    with page.expect_download() as download:
        page.get_by_role("link", name="下载 Word 文件").click()
    assert download.value.path().read_bytes().startswith(b"PK")
    page.get_by_role("button", name="English").click()
    page.get_by_role("heading", name="Downloads").wait_for()
    assert not re.search(r"检查结果|下载", page.locator("main").inner_text())
    shot(page, "6-result-english")
    page.goto("/")
    shot(page, "7-work-english")
    page.emulate_media(color_scheme="dark")
    page.go_back()
    shot(page, "8-result-dark")
    page.set_viewport_size({"width": 390, "height": 844})
    result, matter = page.url, page.locator(".crumb a").nth(1).get_attribute("href")
    for name, url in (("result", result), ("matter", matter), ("work", "/"), ("new", "/matters/new")):
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), url
        shot(page, f"9-{name}-narrow")


def test_escape_stops_and_keeps_what_is_whole(signed_in, worker, shot):
    page = signed_in
    begin(page, TEXT + "锁舌慢速回位。")
    live = page.url
    page.goto("/")
    worker()
    page.locator("#rows .badge.running").first.wait_for(timeout=20000)
    page.goto(live)
    page.locator("#claim-2 .text").wait_for(timeout=60000)
    page.keyboard.press("Escape")
    page.get_by_text("草稿已停止").wait_for(timeout=60000)
    assert CLAIMS[0] in page.locator("#claims").inner_text()
    shot(page, "a-stopped")


def test_polling_when_streams_are_blocked(signed_in, worker):
    page = signed_in
    page.context.add_init_script("delete window.EventSource")
    begin(page)
    worker()
    page.get_by_role("heading", name="下载").wait_for(timeout=60000)


def test_upload_refusals_and_both_languages(signed_in, worker, shot, tmp_path):
    page = signed_in
    large, wrong, good = tmp_path / "large.docx", tmp_path / "wrong.docx", tmp_path / "交底书.txt"
    large.write_bytes(bytes(20 * 2**20 + 1))
    wrong.write_bytes(bytes(range(256)) * 40)
    good.write_bytes(TEXT.encode("gbk"))
    page.goto("/matters/new")
    file = page.locator("#id_file")
    file.set_input_files(large)
    page.locator("#file-problem").wait_for()
    page.get_by_role("button", name="创建案件").click()
    assert page.url.endswith("/matters/new")
    page.get_by_role("button", name="移除文件").click()
    assert page.locator("#file-problem").is_hidden() and file.input_value() == ""
    file.set_input_files(wrong)
    with page.expect_response(lambda answer: answer.request.method == "POST") as refused:
        page.get_by_role("button", name="创建案件").click()
    assert refused.value.status == 400
    page.get_by_text("不是 Word 文档").wait_for()
    shot(page, "b-refused")
    page.get_by_role("button", name="English").click()
    page.locator("#id_file").set_input_files(good)
    page.get_by_role("button", name="Create the matter").click()
    page.get_by_text("滑槽11").first.wait_for()
    worker()
    page.get_by_role("button", name="Start the draft").click()
    page.locator("#claim-1 .text").wait_for(timeout=30000)
    page.get_by_text("so far").wait_for()
    shot(page, "b-live-english")
    page.get_by_role("heading", name="Downloads").wait_for(timeout=60000)
    with page.expect_download() as download:
        page.get_by_role("link", name="The same with paragraph numbers [0001]").click()
    assert b"PK" == download.value.path().read_bytes()[:2]
