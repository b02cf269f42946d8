"""The form of a new matter: a disclosure pasted or uploaded, and what the firm calls it."""

from django import forms
from django.utils.translation import gettext as _

from apps.matters.importing import MAX_BYTES
from apps.matters.models import Matter


class MatterForm(forms.Form):
    """Exactly one of `text` and `file` is needed."""

    title = forms.CharField(max_length=200, required=False)
    reference = forms.CharField(max_length=60, required=False)
    filing_type = forms.ChoiceField(choices=Matter.FilingType.choices, initial=Matter.FilingType.INVENTION)
    text = forms.CharField(required=False, strip=False, widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}))
    file = forms.FileField(
        required=False, allow_empty_file=True, widget=forms.FileInput(attrs={"accept": ".docx,.md,.markdown,.txt"})
    )

    def clean(self):
        data = super().clean()
        text, file = bool((data.get("text") or "").strip()), bool(data.get("file"))
        if not self.errors and not text and not file:
            raise forms.ValidationError(_("There is no disclosure yet. Paste its text or choose a file."))
        if text and file:
            raise forms.ValidationError(_("There is a text and a file. Empty the text, or create the matter without the file."))
        return data

    def source(self) -> tuple[str, bytes]:
        """File name and bytes of the disclosure, for the importer."""
        if file := self.cleaned_data.get("file"):
            return file.name, file.read(MAX_BYTES + 1)
        return _("pasted text") + ".md", self.cleaned_data["text"].encode()
