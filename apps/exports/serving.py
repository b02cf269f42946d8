"""One file of a filing as an HTTP download. Always an attachment: nothing that was drafted runs on this origin."""

from collections.abc import Mapping

from django.http import HttpResponse

from apps.exports.docx import filing_docx
from apps.exports.files import WRITERS
from apps.exports.report import filing_report_html

TYPES = {
    "filing.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "claims.json": "application/json; charset=utf-8",
    "filing.json": "application/json; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
}


def file_response(filing: Mapping, name: str, lang: str = "zh", *, numbered: bool = False) -> HttpResponse:
    """The download `name`, one of `TYPES`; `lang` ("zh" or "en") is that of the report's headings, `numbered` is for
    filing.docx: paragraph numbers in the description."""
    if name == "report.html":
        data = filing_report_html(filing, lang).encode()
    elif name == "filing.docx":
        data = filing_docx(filing, numbered=numbered)
    else:
        data = WRITERS[name](filing)
    return HttpResponse(
        data, content_type=TYPES[name], headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
