"""The job that discovers a template would get a variable twice, so the job is refused.

The operator gives the job the template's `spec.env`, and variables from fields of the template: AIM_METRIC, AIM_PRECISION, AIM_GPU_MODEL,
AIM_GPU_COUNT and AIM_PROFILE_ID. AIM_LOG_LEVEL and AIM_LOG_LEVEL_ROOT are always set. The API server refuses a job with
two variables of one name, and the template is never Ready. aim-engine starts no job for a template with `modelSources`. Remove the
variable from `spec.env`, or leave the field out.

Source: aim-engine v0.2.1, internal/aimservicetemplate/discovery.go; kaiwo dbca1b55, internal/controller/aim/shared/discovery.go.
"""

from weighbridge.policies.families.aim.predictions.objects.discovery import repeated_variables
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Template, Violation, items, templates, text


@templates.error(
    kinds=("AIMServiceTemplate",),
    about=FAILURE,
    good="accepts-a-template-of-another-precision",
    bad="refuses-a-variable-that-the-job-has-already",
)
def check(template: Template, given: Given) -> Said:
    if template.dialect.is_aim_engine and items(template.spec, "modelSources"):
        return
    named = {**template.object, "metadata": {"namespace": given.namespace}}
    again = repeated_variables(named, template.dialect)
    for index, entry in enumerate(items(template.spec, "env")):
        if (name := text(entry, "name")) in again:
            yield Violation(
                ("spec", "env", index, "name"),
                f"{name} would be set twice, so the job that discovers the template is refused",
                found=name,
                hint=f"remove {name} from spec.env, or leave out the field that sets it",
            )
