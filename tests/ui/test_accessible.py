"""Every page, for readers who do not see it: one main heading, named controls and links, unique ids, links that lead somewhere."""

from html.parser import HTMLParser

import pytest

from tests.ui.test_pages import start
from tests.webkit import TEXT, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


class Outline(HTMLParser):
    """Headings, controls, links and ids of a page."""

    def __init__(self, html: str):
        super().__init__()
        self.headings, self.ids, self.labels, self.controls, self.targets = [], [], set(), [], []
        self.names, self.open = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.ids.append(values["id"])
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))
        if tag == "label":
            self.labels.add(values.get("for"))
        if tag in ("input", "select", "textarea") and values.get("type") != "hidden":
            self.controls.append(values)
        if tag in ("a", "button"):
            self.open.append([tag, values.get("aria-label", "")])
            self.targets += [values["href"][1:]] if values.get("href", "").startswith("#") else []

    def handle_data(self, data):
        if self.open:
            self.open[-1][1] += data.strip()

    def handle_endtag(self, tag):
        if self.open and self.open[-1][0] == tag:
            self.names.append(self.open.pop()[1])


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_every_page_has_an_outline(client, people, small, language):
    headers = {"Accept-Language": language}
    found = {"login": client.get("/accounts/login/", headers=headers)}
    client.force_login(people[0])
    found["/ empty"] = client.get("/", headers=headers)
    live, broken, done = start(client), start(client, TEXT + "出错"), start(client)
    found["live"] = client.get(f"/jobs/{live.pk}/", headers=headers)
    run_jobs()
    for url in ("/", "/matters/new", f"/matters/{done.matter_id}/", f"/jobs/{broken.pk}/", f"/jobs/{done.pk}/", "/nothing"):
        found[url] = client.get(url, headers=headers)
    for url, answer in found.items():
        html = answer.content.decode()
        outline = Outline(html)
        assert f'<html lang="{language}"' in html, url
        assert outline.headings.count(1) == 1, url
        assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False)), (url, outline.headings)
        assert len(outline.ids) == len(set(outline.ids)), url
        assert [control for control in outline.controls if control.get("id") not in outline.labels] == [], url
        assert all(outline.names) and outline.open == [], url
        assert set(outline.targets) <= set(outline.ids), url
