"""A repository as platform teams have it: a chart, a base with two overlays, plain manifests, and the other files of such a tree."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Final

from tests.rendering.trees import model, service, write

_MANY: Final = 3_000
_TEMPLATE: Final = """\
{{- range .Values.models }}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata:
  name: {{ .name }}
  labels: {{- include "serving.labels" $ | nindent 4 }}
spec:
  source: {{ .source | quote }}
  hardware:
    accelerator: cuda
    gpu: {count: 1, vendor: nvidia}
{{- end }}
"""
_HELPERS: Final = '{{- define "serving.labels" -}}\napp: {{ .Chart.Name }}\n{{- end }}\n'
_VALUES: Final = "models:\n- {name: chart-a, source: 'https://example.com/a.gguf'}\n"
_COMPOSE: Final = "services:\n  web:\n    image: nginx:1.27\n    ports: ['80:80']\n"
_WORKFLOW: Final = "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{run: make}]\n"
_SEALED: Final = (
    "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: token, namespace: ai}\nspec: {encryptedData: {a: AgB}}\n"
)
_SECRET: Final = "apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: ai}\nstringData: {token: abc}\n"
_CONFIG_MAP: Final = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{}, namespace: ai}}\ndata: {{k: v}}\n"
_PATCH: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: shared, namespace: ai}
spec:
  replicas: 3
"""
_OVERLAY: Final = (
    "resources: [../../base]\nnamespace: NAME\npatches:\n- path: replicas.yaml\nconfigMapGenerator:\n- name: s\n  files: [s.yaml]\n"
)


def repository(root: Path) -> None:
    """Writes it; there are no findings on the objects that are applied."""
    broken = model("broken").replace("accelerator: cuda", "accelerator: rocm")
    write(
        root,
        {
            ".gitignore": "rendered/\n*.local.yaml\n!deploy/keep.local.yaml\n",
            ".weighbridgeignore": "/fixtures/\n",
            "README.md": "# Serving\n",
            "Makefile": "all:\n",
            "charts/serving/Chart.yaml": "apiVersion: v2\nname: serving\nversion: 0.1.0\n",
            "charts/serving/values.yaml": _VALUES,
            "charts/serving/ci/two-values.yaml": _VALUES + "- {name: chart-b, source: 'https://example.com/b.gguf'}\n",
            "charts/serving/templates/models.yaml": _TEMPLATE,
            "charts/serving/templates/_helpers.tpl": _HELPERS,
            "charts/serving/templates/NOTES.txt": "Done.\n",
            "base/kustomization.yaml": "resources: [model.yaml, service.yaml]\n",
            "base/model.yaml": model("shared"),
            "base/service.yaml": service("shared"),
            **{
                f"overlays/{name}/{file}": text.replace("NAME", name)
                for name in ("dev", "prod")
                for file, text in {"kustomization.yaml": _OVERLAY, "replicas.yaml": _PATCH, "s.yaml": "kind: settings\nspec: {}\n"}.items()
            },
            "deploy/crlf.yaml": (model("crlf") + "---\n" + service("crlf")).replace("\n", "\r\n"),
            "deploy/bom.yaml": b"\xef\xbb\xbf" + model("bom").encode(),
            "deploy/utf16.yaml": model("utf16").encode("utf-16"),
            "deploy/keep.local.yaml": model("kept"),
            "deploy/mine.local.yaml": broken,
            "deploy/secret.yaml": _SECRET,
            "deploy/sealed.yaml": _SEALED,
            "deploy/many.yaml": "---\n".join(_CONFIG_MAP.format(number) for number in range(_MANY)),
            "deploy/list.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Namespace"}]}),
            "compose.yaml": _COMPOSE,
            ".github/workflows/ci.yaml": _WORKFLOW,
            ".vscode/settings.json": "{// a comment\n}",
            "tsconfig.json": '{\n  // strict\n  "compilerOptions": {"strict": true},\n}\n',
            "package.json": '{"name": "x", "version": "1.0.0"}',
            "node_modules/pkg/fixture.yaml": broken,
            ".venv/lib/fixture.yaml": broken,
            "rendered/out.yaml": broken,
            "fixtures/wrong.yaml": broken,
            "tools/go.mod": "module tools\n",
            "tools/vendor/example.com/x/crd.yaml": broken,
            "clusters/prod/flux.yaml": _FLUX,
            "apps/app.yaml": model("app").replace("{count: 1, vendor: nvidia}", "\n      count: ${GPUS:=1}\n      vendor: nvidia"),
            "docs/openapi.yaml": "openapi: 3.1.0\ninfo: {title: x}\npaths: {}\n",
        },
    )
    (root / "linked").symlink_to("deploy", target_is_directory=True)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


_FLUX: Final = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {path: ./apps, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: repo}, postBuild: {substitute: {ENV: prod}}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: vllm, namespace: ai}
spec: {interval: 1h, chart: {spec: {chart: vllm, version: 0.5.x, sourceRef: {kind: HelmRepository, name: vllm}}}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: serving, namespace: argocd}
spec: {project: default, destination: {namespace: ai}, source: {repoURL: "https://example.com/r.git", path: charts/serving}}
"""
