"""The tests that are responsible for each part of the code, and so are run on its mutants, the quickest first.

The longest path with which a module begins counts. Tests that need a control plane are left out, and so are those that compare generated
pages or the tree, which notice a change without checking its effect.
"""

from __future__ import annotations

from typing import Final

_DOORS: Final = "tests/doors/test_engine.py"
_LLMKUBE: Final = tuple(f"tests/llmkube/{room}" for room in ("model", "router", "subject", "storage", "engines", "service"))
_HINTS: Final = "tests/llmkube/test_fields_and_hints.py"
_SITUATIONS: Final = ("tests/llmkube/test_rules_in_situations.py", "tests/llmkube/test_rule_boundaries.py")
_CATALOGUE: Final = "tests/families/test_catalogue.py"
_TEXTS: Final = ("tests/families/test_words.py", "tests/families/test_boundaries.py", "tests/families/test_dependence.py")
_QUOTAS: Final = "tests/llmkube/test_quota_charges.py"
_RECORDS: Final = "tests/llmkube/test_operator_records.py"
#: The records of what operators did with objects, whose tests run through the code that families share.
_OPERATORS: Final = ("tests/llmaz", "tests/aim/test_operator_records.py", "tests/ome/test_operator_records.py")
_OTHERS: Final = ("tests/llmkube/test_recorded_others.py", "tests/llmkube/test_adapters.py")

TESTS: Final[dict[str, tuple[str, ...]]] = {
    "certs": ("tests/certs",),
    "policies": ("tests/ground", "tests/engine", "tests/placement/test_matching.py", _DOORS),
    "policies/apiserver": ("tests/apiserver", "tests/schema"),
    "policies/apiserver/acceptance": ("tests/acceptance",),
    "policies/apiserver/demands.py": ("tests/engine/test_crd_rules.py", "tests/apiserver", "tests/webhook/test_crd_losses.py"),
    "policies/cel": ("tests/cel",),
    "policies/cel/rules": ("tests/cel", "tests/apiserver"),
    "policies/codegen": ("tests/codegen", "tests/schema", "tests/cel"),
    "policies/config": ("tests/configuration", "tests/facts", _DOORS),
    "policies/devices": ("tests/devices", "tests/placement/test_devices.py"),
    "policies/facts": ("tests/facts", "tests/placement", _DOORS),
    "policies/families": ("tests/families", "tests/llmkube/defaults", _DOORS, *_OPERATORS),
    "policies/families/aim": ("tests/aim", _DOORS, _CATALOGUE, *_TEXTS),
    "policies/families/inference_extension": (_DOORS, _CATALOGUE, "tests/inference_extension", *_TEXTS),
    "policies/families/aim/migration.py": ("tests/migration",),
    "policies/families/inference_extension/migration.py": ("tests/migration",),
    "policies/families/llmaz/migration.py": ("tests/migration",),
    "policies/families/llmaz": ("tests/llmaz", _DOORS, _CATALOGUE, *_TEXTS),
    "policies/families/llmkube": (_HINTS, *_LLMKUBE, *_OTHERS, _QUOTAS, _DOORS, _RECORDS, *_TEXTS),
    "policies/families/llmkube/fill": ("tests/llmkube/defaults", _DOORS),
    "policies/families/llmkube/rules": (*_SITUATIONS, _HINTS, _DOORS, _CATALOGUE, *_TEXTS),
    "policies/families/llmkube/upstream": ("tests/llmkube/router", _QUOTAS, "tests/llmkube/test_upstream_webhooks.py", _DOORS, *_TEXTS),
    "policies/families/ome": ("tests/ome", _DOORS, _CATALOGUE, *_TEXTS),
    "policies/verdict/impact.py": ("tests/engine", "tests/cli/test_impact.py"),
    "policies/placement": ("tests/placement", _DOORS),
    "policies/placement/request_pods.py": ("tests/placement", "tests/cli/test_placement.py", _DOORS),
    "policies/verdict/prediction.py": ("tests/engine", "tests/cli/test_placement.py", _DOORS),
    "policies/pods": ("tests/pods", "tests/placement", "tests/llmkube/service", _DOORS),
    "policies/schema": ("tests/schema", "tests/apiserver", "tests/cel"),
    "webhook": ("tests/webhook", "tests/cli"),
    "webhook/cli": ("tests/cli", "tests/doors/test_command_line.py"),
    "webhook/cli/config.py": ("tests/configuration",),
    "webhook/cluster": ("tests/webhook", "tests/facts"),
    "webhook/configuration": ("tests/configuration",),
    "webhook/installation": ("tests/installation", "tests/cli/test_generated_pages.py"),
    "webhook/cache": ("tests/cli/test_kept_runs.py", "tests/webhook/test_compile_cache.py"),
    "webhook/inputs": ("tests/facts", "tests/webhook/test_compile_cache.py", "tests/cli"),
    "webhook/manifests": ("tests/manifests", "tests/cli"),
    "webhook/change_report/impact.py": ("tests/report", "tests/cli/test_impact.py"),
    "webhook/migration": ("tests/migration", "tests/cli/test_migrate.py"),
    "webhook/report": ("tests/report", "tests/cli/test_lint.py"),
    "webhook/server": ("tests/webhook",),
    "webhook/dry_run_report": ("tests/cli/test_dry_run.py", "tests/doors/test_command_line.py"),
}


def responsible_tests(module: str) -> tuple[str, ...]:
    """The tests to run for a module, by its path from the root of the checkout."""
    parts = module.split("/")
    known = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next(TESTS[path] for path in known if path in TESTS)
