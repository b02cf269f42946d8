"""What the API takes and gives. Keys are stable; new ones may be added."""

from django.utils.translation import gettext as _
from rest_framework import serializers

from apps.drafting import stream
from apps.drafting.models import DraftJob, JobEvent
from apps.matters.importing import MAX_BYTES
from apps.matters.models import Matter

MAX_SEED = 2**31 - 1


class JobRequest(serializers.Serializer):
    """A disclosure, as `text` or as `file` (multipart), and how to draft it."""

    text = serializers.CharField(required=False, trim_whitespace=False, help_text="The disclosure as text.")
    file = serializers.FileField(required=False, allow_empty_file=True, help_text="The disclosure as DOCX, Markdown or plain text, at most 20 MB.")
    name = serializers.CharField(required=False, max_length=200, help_text="Name of the matter; taken from the disclosure when absent.")
    reference = serializers.CharField(required=False, max_length=60, help_text="Your own reference.")
    filing_type = serializers.ChoiceField(choices=Matter.FilingType.choices, default=Matter.FilingType.INVENTION)
    seed = serializers.IntegerField(default=0, min_value=0, max_value=MAX_SEED)
    model = serializers.CharField(required=False, max_length=200, help_text="Model name; the default model when absent.")

    def validate(self, attrs: dict) -> dict:
        if bool(attrs.get("text", "").strip()) == bool(attrs.get("file")):
            raise serializers.ValidationError(_("Give the disclosure once: either as text or as file."), code="one_disclosure")
        return attrs

    def disclosure_file(self) -> tuple[str, bytes]:
        """File name and bytes for the importer."""
        file = self.validated_data.get("file")
        return (file.name, file.read(MAX_BYTES + 1)) if file else ("disclosure.md", self.validated_data["text"].encode())


class JobOut(serializers.ModelSerializer):
    """A job now."""

    matter = serializers.UUIDField(source="matter_id")
    name = serializers.CharField(source="matter.title")
    model = serializers.CharField(source="model_name")
    waiting = serializers.SerializerMethodField(help_text="Why the job makes no progress; empty when it does.")
    losses = serializers.ListField(
        child=serializers.CharField(), source="disclosure.lost", help_text="What of the disclosure could not be read."
    )

    class Meta:
        model = DraftJob
        fields = [
            "id", "matter", "name", "state", "stage", "percent", "attempts", "seed", "model", "cancel_requested",
            "waiting", "losses", "error_code", "error_message", "created_at", "started_at", "finished_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_waiting(self, job: DraftJob) -> str:
        return stream.waiting_reason(job)


class EventOut(serializers.Serializer):
    """One event; `id` is the resume point."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=JobEvent.Kind.choices)
    data = serializers.DictField()
    at = serializers.DateTimeField()


class EventsOut(serializers.Serializer):
    """Events after a resume point, at most 500; ask again with the last id for more."""

    state = serializers.ChoiceField(choices=DraftJob.State.choices)
    events = EventOut(many=True)


class DocumentsOut(serializers.Serializer):
    """The finished filing: claims, description, abstract, findings, provenance, and the files to download."""

    filing = serializers.DictField(help_text="title, claims, description, abstract, findings, provenance …")
    files = serializers.DictField(child=serializers.URLField(), help_text="File name to address.")


class ErrorOut(serializers.Serializer):
    """A refusal: `code` for programs, `message` for people."""

    code = serializers.CharField()
    message = serializers.CharField()
