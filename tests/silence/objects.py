"""A small object of each family, with the only rule that has a finding on it."""

from __future__ import annotations

from typing import Final, NamedTuple


class Example(NamedTuple):
    """The text of an object; `{metadata}` marks the place for more metadata, and the faulty line ends with `{comment}`."""

    rule: str
    text: str

    def written(self, *, metadata: str = "", comment: str = "", above: str = "") -> str:
        """The text with the given metadata and comment."""
        return above + self.text.replace("{metadata}", metadata).replace("{comment}", comment)


EXAMPLES: Final = (
    Example(
        "LLMKUBE-001",
        """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: phi{metadata}
spec:
  source: hf://org/phi
  hardware:
    accelerator: rocm{comment}
    gpu: {count: 1, vendor: nvidia}
""",
    ),
    Example(
        "AIM-016",
        """\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMService
metadata:
  name: chat{metadata}
spec:
  model:
    name: "  "{comment}
""",
    ),
    Example(
        "GIE-020",
        """\
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata:
  name: chat{metadata}
spec:
  selector: {matchLabels: {app: chat}}
  targetPorts: [{number: 9000}]
  endpointPickerRef:
    name: picker
    port:
      number: 9000{comment}
""",
    ),
    Example(
        "LLMAZ-008",
        """\
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata:
  name: qwen-2.5{comment}{metadata}
spec:
  familyName: qwen
  source: {modelHub: {modelID: org/qwen}}
""",
    ),
    Example(
        "OME-030",
        """\
apiVersion: ome.io/v1beta1
kind: ClusterBaseModel
metadata:
  name: qwen-2.5{comment}{metadata}
spec:
  storage: {storageUri: "hf://org/qwen", path: /models/qwen}
""",
    ),
)
