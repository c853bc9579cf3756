"""A small family, which `make family` writes under another name: its files by their paths in the checkout.

Nothing else in the project knows it.
"""

from __future__ import annotations

from typing import Final

_FAMILY: Final = "policies/families/scratch"

FILES: Final = {
    f"{_FAMILY}/__init__.py": '''\
"""Scratch (scratch.example.com): notes that ask for paper."""

from __future__ import annotations

from typing import Final

#: The API groups of its kinds.
GROUPS: Final = ("scratch.example.com",)
''',
    f"{_FAMILY}/settings.py": '''\
"""The configuration's section `scratch`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True)
class Scratch:
    """Settings of the Scratch family."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    default_colour: str | None = None
    """the colour of notes that name none"""

    def mistakes(self, path: Path) -> Iterator[tuple[Path, str]]:
        """What can't be meant."""
        if self.default_colour == "invisible":
            yield (*path, "defaultColour"), "the text can't be read"


SETTINGS: Final = Scratch
''',
    f"{_FAMILY}/fill.py": '''\
"""The colour of a note that names none.

It is the configuration's `scratch.defaultColour`. Without that setting nothing is filled in, and the printer takes black.

Source: Scratch v1.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.scratch.settings import Scratch
from weighbridge.policies.ground.request import Request


def note(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in a Note."""
    filled = config.settings_of(Scratch).default_colour
    if filled and isinstance(mutation.object.get("spec"), dict):
        mutation.fill(("spec", "colour"), filled, source="configuration", reason="scratch.defaultColour")
''',
    f"{_FAMILY}/predictions.py": '''\
"""The Job with which the printer prints a note.

Source: Scratch v1.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.ground.fields import whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request

#: The sheets of a pad.
PAD: Final = 20


def note(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction for a Note; `None` for an object that isn't read."""
    if not isinstance(request.object, dict):
        return None
    name, asked = name_of(request.object), whole(spec_of(request.object), "sheets")
    if asked > PAD:
        return Prediction({"phase": "Failed"}, failure=f"{asked} sheets are more than a pad has")
    job: JSONObject = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": request.namespace},
        "spec": {
            "completions": asked,
            "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "print", "image": "scratch.example.com/printer:v1"}]}},
        },
    }
    pods = PredictedValue(f"Job/{name}", "spec.completions", asked, f"Note {name} spec.sheets", "one pod prints each of them")
    return Prediction({"phase": "Printing"}, objects=(job,), values=(pods,))
''',
    f"{_FAMILY}/family.py": '''\
"""The Scratch family."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import Family, Fill, Kind
from weighbridge.policies.families.scratch import GROUPS, fill, predictions
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind

FAMILY: Final = Family(
    name="scratch",
    title="Scratch",
    kinds=(Kind(GroupVersionKind("scratch.example.com", "v1", "Note"), "notes"),),
    fill={"Note": fill.note},
    predict={"Note": predictions.note},
    fills=(Fill("Note", "spec.colour", "weighbridge.policies.families.scratch.fill"),),
    package="weighbridge.policies.families.scratch",
    upstreams=(Upstream("scratch", "Scratch", GROUPS, "v1", "example/scratch"),),
)
''',
    f"{_FAMILY}/rulebook.py": '''\
"""What the rules of Scratch are written with."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.rule import FAILURE, Given, Said, Subject, Violation, given_object
from weighbridge.policies.ground.fields import whole

__all__ = ["FAILURE", "Given", "Said", "Violation", "notes", "whole"]

#: Rules about a note as it is written.
notes: Final = Subject(("Note",), given_object)
''',
    f"{_FAMILY}/rules/__init__.py": '"""The rules, a file each."""\n',
    f"{_FAMILY}/rules/scratch_001_too_many_sheets.py": '''\
"""A note asks for more sheets than a pad has.

Pads have twenty, and the printer creates no Job for more. Write two notes.

Source: Scratch v1.
"""

from weighbridge.policies.families.scratch.predictions import PAD
from weighbridge.policies.families.scratch.rulebook import FAILURE, Given, Said, Violation, notes, whole


@notes.error(about=FAILURE, good="accepts-as-many-sheets-as-a-pad-has", bad="refuses-more-sheets-than-a-pad-has")
def check(given: Given) -> Said:
    asked = whole(given.spec, "sheets")
    if asked > PAD:
        yield Violation(("spec", "sheets"), f"{asked} sheets are more than a pad has", found=str(asked), expected=f"at most {PAD}")
''',
    f"{_FAMILY}/native.py": '''\
"""Rules of Scratch as the API server can check them; see `policies/families/native.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Why rules that look at one object alone aren't written as CEL.
LEFT: Final[Mapping[str, str]] = {"SCRATCH-001": "it is an example"}
''',
    f"{_FAMILY}/crds/scratch.example.com_notes.yaml": """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: notes.scratch.example.com
spec:
  group: scratch.example.com
  names: {kind: Note, listKind: NoteList, plural: notes, singular: note}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            properties:
              sheets: {type: integer, default: 1}
              colour: {type: string}
""",
    "tests/cases/scratch/accepts-as-many-sheets-as-a-pad-has/object.yaml": """\
apiVersion: scratch.example.com/v1
kind: Note
metadata: {name: todo, namespace: default}
spec: {sheets: 20}
""",
    "tests/cases/scratch/accepts-as-many-sheets-as-a-pad-has/expect.yaml": """\
# Twenty sheets are a whole pad. The colour is filled in.
allowed: true
patch: [{op: add, path: /spec/colour, value: yellow}]
""",
    "tests/cases/scratch/refuses-more-sheets-than-a-pad-has/object.yaml": """\
apiVersion: scratch.example.com/v1
kind: Note
metadata: {name: todo, namespace: default}
spec: {sheets: 21}
""",
    "tests/cases/scratch/accepts-as-many-sheets-as-a-pad-has/config.yaml": """\
apiVersion: weighbridge.dev/v1alpha1
kind: Configuration
scratch: {defaultColour: yellow}
""",
    "tests/cases/scratch/refuses-more-sheets-than-a-pad-has/expect.yaml": """\
# Pads have twenty sheets.
allowed: false
code: 403
findings: ['SCRATCH-001 spec.sheets: 21 sheets are more than a pad has']
""",
}
