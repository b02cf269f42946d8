"""`losses` becomes counts by kind; the sentences stored before were in one language only and are dropped."""

from django.db import migrations, models


def drop_sentences(apps, schema_editor) -> None:
    for disclosure in apps.get_model("matters", "Disclosure").objects.only("losses").iterator():
        if isinstance(disclosure.losses, list):
            disclosure.losses = {}
            disclosure.save(update_fields=["losses"])


class Migration(migrations.Migration):
    dependencies = [("matters", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="disclosure",
            name="losses",
            field=models.JSONField(blank=True, default=dict, verbose_name="not read"),
        ),
        migrations.RunPython(drop_sentences, migrations.RunPython.noop),
    ]
