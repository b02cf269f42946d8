"""The form of a new matter: a disclosure pasted or uploaded, and what the firm calls it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.matters.models import Matter

MAX_FILE = 20 * 2**20


class MatterForm(forms.Form):
    """Exactly one of `text` and `file` is needed; a file wins when both are given."""

    title = forms.CharField(max_length=200, required=False)
    reference = forms.CharField(max_length=60, required=False)
    filing_type = forms.ChoiceField(choices=Matter.FilingType.choices, initial=Matter.FilingType.INVENTION)
    text = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}))
    file = forms.FileField(
        required=False, allow_empty_file=False, widget=forms.FileInput(attrs={"accept": ".docx,.md,.txt"})
    )

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file and file.size > MAX_FILE:
            raise forms.ValidationError(_("The file is larger than 20 MB. Remove pictures, or paste the text."))
        return file

    def clean(self):
        data = super().clean()
        if not self.errors and not data.get("file") and not (data.get("text") or "").strip():
            raise forms.ValidationError(_("There is no disclosure yet. Paste its text or choose a file."))
        return data

    def source(self) -> tuple[str, bytes]:
        """File name and bytes of the disclosure, for the importer."""
        if file := self.cleaned_data.get("file"):
            return file.name, file.read()
        return "disclosure.md", self.cleaned_data["text"].encode()
