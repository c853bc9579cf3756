"""`weighbridge impact`: the effect of a change on other objects, as text and as JSON, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run

GROUP = "aim.eai.amd.com/v1alpha1"
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "mi300x", "labels": {"amd.com/gpu.device-id": "74a1"}},
    "status": {"allocatable": {"cpu": "64", "memory": "1Ti", "pods": "110", "amd.com/gpu": "8"}},
}


def _object(kind: str, name: str, spec: dict[str, Any], namespace: str = "", **more: Any) -> dict[str, Any]:
    where = {"namespace": namespace} if namespace else {}
    return {"apiVersion": GROUP, "kind": kind, "metadata": {"name": name, **where}, "spec": spec, **more}


def _template(name: str, metric: str, **hardware: Any) -> dict[str, Any]:
    spec = {
        "modelName": "llama",
        "metric": metric,
        "type": "optimized",
        "hardware": {"gpu": {"requests": 1, "model": "MI300X", **hardware}},
        "modelSources": [{"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}],
    }
    profile = {"metadata": {"type": "optimized", "metric": metric, "gpu": "MI300X", "gpuCount": 1}}
    return _object("AIMServiceTemplate", name, spec, "shop", status={"status": "Ready", "profile": profile})


def _cluster(*besides: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        NODE,
        _object("AIMClusterRuntimeConfig", "default", {"routing": {"enabled": True, "gatewayRef": {"name": "gw"}}}),
        _object("AIMRuntimeConfig", "other", {}, "lab"),
        _object("AIMModel", "llama", {"image": "ghcr.io/acme/llama:1"}, "shop", status={"status": "Ready"}),
        _object("AIMClusterModel", "shared", {"image": "ghcr.io/acme/shared:1"}, status={"status": "Ready"}),
        _object("AIMClusterServiceTemplate", "shared", {"modelName": "shared"}),
        _template("fast", "latency"),
        _template("wide", "throughput"),
        _object("AIMService", "chat", {"model": {"name": "llama"}}, "shop"),
        _object("AIMService", "search", {"model": {"name": "llama"}}, "shop"),
        *besides,
    ]


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    return _written(tmp_path / "cluster.json", _cluster())


def _written(file: Path, objects: list[dict[str, Any]]) -> str:
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return str(file)


def test_a_change_that_takes_the_gateway_away_breaks_all_services_alike(cluster: str, tmp_path: Path) -> None:
    changed = _written(tmp_path / "changed.json", [_object("AIMClusterRuntimeConfig", "default", {"routing": {"enabled": True}})])
    done = run("impact", "-f", changed, "--cluster", cluster)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[1] == "AIMService shop/chat, AIMService shop/search: breaks"
    assert lines[2].startswith("  fails: ")
    assert "  HTTPRoute: no longer made" in lines
    assert '  RuntimeConfig/default spec.routing.gatewayRef.name: "gw" -> none' in lines
    # Of models, templates and services.
    assert lines[0] == "2 of 7 other objects resolve differently, 2 break"


def test_a_deleted_template_leads_to_the_next_best(cluster: str) -> None:
    done = run("impact", "--delete", "AIMServiceTemplate/shop/fast", "--cluster", cluster)
    assert (done.returncode, done.stderr) == (0, "")
    assert "AIMService shop/chat, AIMService shop/search: resolves differently" in done.stdout
    assert '  AIMService status.resolvedTemplate: "fast" -> "wide"' in done.stdout.splitlines()
    assert done.stdout.splitlines()[0] == "2 of 2 other objects resolve differently, 0 break"


def test_a_deleted_model_breaks_its_services_though_it_was_the_last_of_its_kind(cluster: str) -> None:
    done = run("impact", "--delete", "AIMModel/shop/llama", "--cluster", cluster)
    assert done.returncode == 1
    assert '  fails: model "llama" not found in namespace shop or cluster scope' in done.stdout.splitlines()


def test_a_config_of_one_namespace_changes_nothing_in_another(cluster: str, tmp_path: Path) -> None:
    changed = _written(tmp_path / "changed.json", [_object("AIMRuntimeConfig", "default", {"routing": {"pathTemplate": "/x"}}, "lab")])
    done = run("impact", "-f", changed, "--cluster", cluster)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[:2]) == (
        0,
        ["0 of 6 other objects resolve differently, 0 break", "given: AIMRuntimeConfig lab/default: resolves differently"],
    )
    assert not [line for line in lines if line.startswith("AIMService")]


def test_pods_that_no_node_can_run_any_more_break(cluster: str, tmp_path: Path) -> None:
    template = _template("fast", "latency")
    template["spec"]["hardware"]["gpu"]["requests"] = 16
    done = run("impact", "-f", _written(tmp_path / "changed.json", [template]), "--cluster", cluster)
    assert done.returncode == 1
    told = "  no node of the cluster could run its pods: 0/1 nodes are available: 1 Insufficient amd.com/gpu"
    assert any(line.startswith(told) for line in done.stdout.splitlines())


def test_what_is_given_too_counts_as_it_will_stand_and_not_as_it_is_stored(tmp_path: Path) -> None:
    def model(vendor: str) -> dict[str, Any]:
        gpu = {"enabled": True, "count": 1, "vendor": vendor, "resourceName": f"{vendor}.com/gpu"}
        hardware = {"accelerator": "rocm" if vendor == "amd" else "cuda", "gpu": gpu | ({"runtime": "rocm"} if vendor == "amd" else {})}
        spec = {"source": "https://example.com/llama.gguf", "hardware": hardware}
        return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": {"name": "m", "namespace": "ai"}, "spec": spec}

    service = model("nvidia") | {"kind": "InferenceService", "metadata": {"name": "s", "namespace": "ai"}, "spec": {"modelRef": "m"}}
    amounts = {"cpu": "64", "memory": "1Ti", "pods": "110"}
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": vendor},
            # LLMKube itself tolerates this taint, only with that value.
            "spec": {"taints": [{"key": f"{vendor}.com/gpu", "value": value, "effect": "NoSchedule"}]},
            "status": {"allocatable": amounts | {f"{vendor}.com/gpu": "8"}},
        }
        for vendor, value in (("amd", "own"), ("nvidia", "present"))
    ]
    known = _written(tmp_path / "known.json", [*nodes, model("nvidia"), service])
    both, alone = _written(tmp_path / "both.json", [model("amd"), service]), _written(tmp_path / "alone.json", [model("amd")])
    why = "0/2 nodes are available: 2 node(s) had untolerated taint(s); amd would fit, but the pod doesn't tolerate the taint amd.com/gpu"
    for command in (("dry-run", both), ("lint", both)):
        assert "WB-002" not in run(*command, "--cluster", known).stdout
    told = run("impact", "-f", both, "--cluster", known)
    assert (told.returncode, told.stdout.splitlines()[0]) == (0, "0 of 0 other objects resolve differently, 0 break")
    assert "given: InferenceService ai/s: resolves differently" in told.stdout
    assert f"  no node of the cluster could run its pods: {why}" in run("impact", "-f", alone, "--cluster", known).stdout
    verdict = json.loads(run("dry-run", alone, "--cluster", known, "-o", "json").stdout)["verdicts"][0]
    (finding,) = (finding for finding in verdict["findings"] if finding["rule"] == "WB-002")
    assert finding["message"].startswith(f"this change breaks InferenceService ai/s; of the first: no node could run its pods: {why}")
    assert finding["hint"].startswith("once InferenceService ai/s is applied again, it runs with what is filled in then; ")


def test_json_has_each_object_with_its_differences(cluster: str) -> None:
    done = run("impact", "--delete", "AIMServiceTemplate/shop/fast", "--cluster", cluster, "-o", "json")
    document = json.loads(done.stdout)
    assert document["version"] == 1
    assert document["changed"] == ["AIMServiceTemplate shop/fast"]
    assert document["summary"] == {"known": 2, "differ": 2, "break": 0, "mend": 0, "notFullyChecked": 0}
    first = document["objects"][0]
    assert (first["kind"], first["namespace"], first["name"], first["breaks"]) == ("AIMService", "shop", "chat", False)
    chosen = {"object": "AIMService", "field": "status.resolvedTemplate", "before": "fast", "after": "wide"}
    assert chosen in first["differences"]


def test_what_mends_is_counted(tmp_path: Path) -> None:
    broken = _object("AIMService", "late", {"model": {"name": "newer"}}, "shop")
    cluster = _written(tmp_path / "cluster.json", _cluster(broken))
    model = _object("AIMModel", "newer", {"image": "ghcr.io/acme/newer:1"}, "shop")
    template = _template("newer", "latency") | {"spec": {**_template("newer", "latency")["spec"], "modelName": "newer"}}
    done = run("impact", "-f", _written(tmp_path / "changed.json", [model, template]), "--cluster", cluster)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "1 of 5 other objects resolve differently, 0 break, 1 mend"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give -f PATH with the objects as they will be, or --delete"),
        (("--delete", "AIMModel/shop/llama", "--cluster", "-", "--context", "c"), "--cluster excludes --kubeconfig and --context"),
        (("--delete", "AIMModel", "--cluster", "-"), "AIMModel: write KIND/NAME or KIND/NAMESPACE/NAME"),
    ],
)
def test_a_wrong_command_line_is_one_error_and_two(arguments: tuple[str, ...], words: str) -> None:
    done = run("impact", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_kind_that_nothing_reads_is_an_error_with_the_nearest(cluster: str) -> None:
    done = run("impact", "--delete", "Kettle/a", "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Kettle/a: no prediction and no rule reads a kind Kettle; these are read: AIM" in done.stderr
    assert (
        "no prediction and no rule reads a kind aimservise; did you mean AIMService?"
        in run("impact", "--delete", "aimservise/a", "--cluster", cluster).stderr
    )


@pytest.mark.parametrize(
    "named",
    [
        "aimmodel/shop/llama",
        "AIMModels/shop/llama",
        "aimmodels.aim.eai.amd.com/shop/llama",
        "aimmodel.v1alpha1.aim.eai.amd.com/shop/llama",
        "aimmdl/shop/llama",
    ],
)
def test_a_kind_is_named_as_kubectl_takes_it(cluster: str, named: str) -> None:
    done = run("impact", "--delete", named, "--cluster", cluster)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("4 of 4 other objects resolve differently, 2 break\n")


def test_a_core_service_and_that_of_llmaz_are_told_apart(tmp_path: Path) -> None:
    core = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "chat", "namespace": "ai"}, "spec": {}}
    cluster = _written(tmp_path / "cluster.json", [core, core | {"apiVersion": "inference.llmaz.io/v1alpha1"}])
    both = run("impact", "--delete", "svc/ai/chat", "--cluster", cluster)
    assert "svc/ai/chat: several groups have one; write Service.core or Service.inference.llmaz.io for the kind" in both.stderr
    for named in ("Service.core/ai/chat", "services.v1.core/ai/chat", "service.inference.llmaz.io/ai/chat"):
        assert run("impact", "--delete", named, "--cluster", cluster).returncode == 0
    assert (
        "no Service of this group or version is read" in run("impact", "--delete", "Service.v2.core/ai/chat", "--cluster", cluster).stderr
    )


def test_a_node_that_is_cordoned_or_deleted_is_asked_of_all_pods(tmp_path: Path) -> None:
    services = [_object("AIMService", "chat", {"model": {"name": "llama"}}, "shop")]
    cluster = _written(tmp_path / "cluster.json", _cluster(*services))
    cordoned = {**NODE, "spec": {"unschedulable": True}}
    done = run("impact", "-f", _written(tmp_path / "node.json", [cordoned]), "--cluster", cluster)
    assert (done.returncode, done.stderr) == (0, "")
    assert "AIMService shop/chat, AIMService shop/search: resolves differently" in done.stdout
    assert "  no node of the cluster can run its pods for now: 0/1 nodes are available: 1 node(s) were unschedulable" in done.stdout
    gone = run("impact", "--delete", "node/mi300x", "--cluster", cluster)
    assert (gone.returncode, gone.stdout.splitlines()[0][-7:]) == (1, "2 break")


def test_a_file_that_no_prediction_reads_is_an_error(cluster: str, tmp_path: Path) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop"}}
    done = run("impact", "-f", _written(tmp_path / "secret.json", [secret]), "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no prediction reads Secret, so the impact of this change isn't known" in done.stderr
    mixed = run("impact", "-f", _written(tmp_path / "mixed.json", [secret, _cluster()[3]]), "--cluster", cluster)
    assert (mixed.returncode, mixed.stderr) == (0, "Note: no prediction reads Secret, so these are skipped\n")


def test_a_pool_that_goes_breaks_what_names_it(tmp_path: Path) -> None:
    pool = {
        "apiVersion": "inference.networking.k8s.io/v1",
        "kind": "InferencePool",
        "metadata": {"name": "qwen", "namespace": "chat"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "targetPorts": [{"number": 1}], "endpointPickerRef": {"name": "picker"}},
    }
    objective = {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
        "kind": "InferenceObjective",
        "metadata": {"name": "fast", "namespace": "chat"},
        "spec": {"poolRef": {"name": "qwen"}},
    }
    ref = {"group": "inference.networking.k8s.io", "kind": "InferencePool", "name": "qwen"}
    route = {
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "GRPCRoute",
        "metadata": {"name": "r", "namespace": "chat"},
        "spec": {"rules": [{"backendRefs": [ref]}]},
    }
    picker = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "picker", "namespace": "chat"}, "spec": {}}
    cluster = _written(tmp_path / "cluster.json", [pool, objective, route, picker])
    told = run("impact", "--delete", "inferencepool/chat/qwen", "--cluster", cluster)
    assert (told.returncode, told.stdout.splitlines()) == (
        1,
        [
            "2 of 2 other objects resolve differently, 2 break",
            "InferenceObjective chat/fast: breaks",
            '  fails: namespace "chat" has no InferencePool "qwen"',
            "GRPCRoute chat/r: breaks",
            '  fails: namespace "chat" has no InferencePool "qwen" of inference.networking.k8s.io, so the route answers with 500',
        ],
    )
    without = run("impact", "--delete", "svc/chat/picker", "--cluster", cluster)
    assert "InferencePool chat/qwen: breaks" in without.stdout.splitlines()
    (tmp_path / "pool.json").write_text(json.dumps(pool))
    verdict = run("dry-run", "--operation", "DELETE", str(tmp_path / "pool.json"), "--cluster", cluster).stdout
    assert "warning[WB-002] this deletion breaks InferenceObjective chat/fast, GRPCRoute chat/r; of the first:" in verdict


def test_what_is_not_there_can_not_be_deleted(cluster: str) -> None:
    done = run("impact", "--delete", "AIMModel/shop/lama", "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    words = "AIMModel/shop/lama: the cluster has no AIMModel.aim.eai.amd.com shop/lama or AIMModel.aim.silogen.ai shop/lama"
    assert words in done.stderr


def test_a_deleted_object_is_one_of_a_family_in_the_namespace_that_is_meant(tmp_path: Path) -> None:
    def service(api_version: str) -> dict[str, Any]:
        return {"apiVersion": api_version, "kind": "AIMService", "metadata": {"name": "chat", "namespace": "shop"}, "spec": {}}

    new, old, other = (service(name) for name in (GROUP, "aim.silogen.ai/v1alpha1", "example.com/v1"))

    def deleted(named: str, *objects: dict[str, Any]) -> Any:
        file = _written(tmp_path / "cluster.json", list(objects))
        done = run("impact", "--delete", named, "--cluster", file, "-n", "shop", "-o", "json")
        return json.loads(done.stdout)["changed"] if done.stdout else done.stderr

    assert deleted("AIMService/chat", other, new) == ["AIMService shop/chat"]
    assert deleted("AIMService/lab/chat", new).endswith(
        "has no AIMService.aim.eai.amd.com lab/chat or AIMService.aim.silogen.ai lab/chat\n"
    )
    assert "the cluster has no AIMService." in deleted("AIMService/chat", other)
    assert "several groups have one; write AIMService.aim.eai.amd.com or AIMService.aim.silogen.ai" in deleted("AIMService/chat", new, old)
    assert deleted("AIMService.aim.silogen.ai/shop/chat", new, old) == ["AIMService shop/chat"]
    assert "no such object" in deleted("AIMClusterModel/shop/llama", _object("AIMClusterModel", "llama", {}))
    assert deleted("AIMClusterModel/llama", _object("AIMClusterModel", "llama", {})) == ["AIMClusterModel llama"]


@pytest.mark.parametrize("metadata", [None, "llama", [], 5])
@pytest.mark.parametrize("kind", ["AIMModel", "AIMService", "AIMClusterModel", "AIMRuntimeConfig"])
def test_an_object_of_any_shape_is_taken(kind: str, metadata: Any, cluster: str, tmp_path: Path) -> None:
    specs: list[Any] = [None, 5, [], {"model": 3}]
    for spec in specs:
        done = run(
            "impact",
            "-f",
            _written(tmp_path / "odd.json", [{**_object(kind, "", {}), "metadata": metadata, "spec": spec}]),
            "--cluster",
            cluster,
        )
        assert done.returncode in {0, 1}
        assert "Traceback" not in done.stderr


def test_who_changes_nothing_that_matters_is_told_so(cluster: str, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("# nothing\n")
    done = run("impact", "-f", str(tmp_path / "other.yaml"), "--cluster", cluster)
    assert (done.returncode, done.stderr) == (0, "Note: nothing is given, so nothing changes\n")


def test_a_file_that_can_not_be_read_is_one_error(cluster: str, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: *x\n")
    done = run("impact", "-f", str(tmp_path / "broken.yaml"), "--cluster", cluster)
    assert (done.returncode, done.stdout) == (2, "")
    assert "broken.yaml:1" in done.stderr


def test_a_dry_run_warns_of_a_change_that_breaks_others_and_may_refuse_it(cluster: str, tmp_path: Path) -> None:
    changed = _written(tmp_path / "changed.json", [_object("AIMClusterRuntimeConfig", "default", {"routing": {"enabled": True}})])
    done = run("dry-run", changed, "--cluster", cluster, "-o", "json")
    (verdict,) = json.loads(done.stdout)["verdicts"]
    (finding,) = (finding for finding in verdict["findings"] if finding["rule"] == "WB-002")
    assert finding["severity"] == "warning"
    assert finding["message"].startswith(
        "this change breaks AIMService shop/chat, AIMService shop/search; of the first: routing.gatewayRef"
    )
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nrules: {WB-002: deny}\n")
    assert run("dry-run", changed, "--cluster", cluster, "--config", str(config)).returncode == 1


def test_a_status_of_which_nothing_is_known_is_not_made(tmp_path: Path) -> None:
    known = _written(tmp_path / "cluster.json", [obj for obj in _cluster() if not obj["kind"].startswith("AIMCluster")])
    done = run("impact", "--delete", "AIMModel/shop/llama", "--cluster", known)
    assert "  InferenceService: no longer made" in done.stdout.splitlines()
    assert "  status: made" not in done.stdout


@pytest.mark.parametrize("metadata", [None, "x", []])
def test_an_object_without_metadata_is_looked_at_all_the_same(cluster: str, tmp_path: Path, metadata: Any) -> None:
    nameless = {"apiVersion": GROUP, "kind": "AIMRuntimeConfig", "metadata": metadata, "spec": {}}
    done = run("impact", "-f", _written(tmp_path / "nameless.json", [nameless]), "--cluster", cluster)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_given_object_keeps_the_status_that_is_stored(tmp_path: Path) -> None:
    """The folder of the cache is in the Model's status, which an applied manifest doesn't change."""

    def model(source: str, **more: Any) -> dict[str, Any]:
        metadata = {"name": "m", "namespace": "ai"}
        return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": metadata, "spec": {"source": source}, **more}

    service = model("") | {"kind": "InferenceService", "metadata": {"name": "s", "namespace": "ai"}, "spec": {"modelRef": "m"}}
    stored = model("https://example.com/a.gguf", status={"phase": "Ready", "cacheKey": "aaaa", "path": "/models/aaaa/a.gguf"})
    known, given = (
        _written(tmp_path / "known.json", [stored, service]),
        _written(tmp_path / "new.json", [model("https://example.com/b.gguf")]),
    )
    told = run("impact", "-f", given, "--cluster", known).stdout
    assert "MODEL_SOURCE" in told
    assert "args[" not in told
    both = _written(tmp_path / "both.json", [model("https://example.com/b.gguf"), service])
    verdicts = json.loads(run("dry-run", both, "--cluster", known, "-o", "json").stdout)["verdicts"]
    assert "LLMKUBE-178" in {finding["rule"] for finding in verdicts[0]["findings"]}
    values = {value["reason"] for value in verdicts[1]["effective"]["values"]}
    assert any("folder aaaa of the cache, as it was made of the source that it was fetched from" in reason for reason in values)


@pytest.mark.parametrize("output", ["text", "json"])
def test_no_credentials_are_in_what_differs(tmp_path: Path, output: str) -> None:
    before = [_object("AIMModel", "llama", {"image": f"me:SECRET-{name}@ghcr.io/acme/llama:1"}, "shop") for name in ("old", "new")]
    cluster = _written(tmp_path / "cluster.json", _cluster(before[0]))
    done = run("impact", "-f", _written(tmp_path / "changed.json", [before[1]]), "--cluster", cluster, "-o", output)
    assert "shop" in done.stdout
    assert "SECRET" not in done.stdout + done.stderr
