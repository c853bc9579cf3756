"""The tests that run without measuring coverage. They repeat, with many objects or through another door, what others cover.

Measuring makes a test take twice as long. These tests alone cover about three branches in a hundred.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import Final, Protocol

import pytest
from coverage import Coverage

REPETITIONS: Final = (
    "tests/acceptance/test_agrees_with_server.py",
    "tests/acceptance/test_corpus.py",
    "tests/acceptance/test_default_types.py",
    "tests/aim/test_corpus.py",
    "tests/aim/test_merging_properties.py",
    "tests/aim/test_operator_records.py",
    "tests/aim/test_recorded_admission.py",
    "tests/aim/test_rules_lacking_facts.py",
    "tests/aim/test_rules_on_records.py",
    "tests/aim/test_sweep.py",
    "tests/apiserver/test_agrees_with_server.py",
    "tests/apiserver/test_conformance_chain.py",
    "tests/apiserver/test_embedded_defaults.py",
    "tests/apiserver/test_random_bodies_on_server.py",
    "tests/apiserver/test_recorded_answers.py",
    "tests/architecture",
    "tests/cel/rules/test_agrees_with_server.py",
    "tests/cel/rules/test_any_object.py",
    "tests/cel/rules/test_injection.py",
    "tests/cel/rules/test_kept_rules.py",
    "tests/cel/rules/test_reproducible_source.py",
    "tests/cel/rules/test_rule_vectors.py",
    "tests/cel/rules/test_rules_of_known_kinds.py",
    "tests/cel/test_depth_and_names.py",
    "tests/cel/test_forms_on_containers.py",
    "tests/cel/test_growth.py",
    "tests/cel/test_recovery_from_errors.py",
    "tests/cel/test_second_opinion.py",
    "tests/cel/test_second_opinion_values.py",
    "tests/cel/vectors/test_evaluation_vectors.py",
    "tests/cel/vectors/test_expression_vectors.py",
    "tests/cli/test_depth.py",
    "tests/cli/test_interrupts.py",
    "tests/cli/test_lint.py",
    "tests/cli/test_streams.py",
    "tests/codegen/test_codegen.py",
    "tests/configuration/test_exceptions.py",
    "tests/devices/test_agrees_with_allocator.py",
    "tests/devices/test_alike.py",
    "tests/devices/test_search.py",
    "tests/doors/test_command_line.py",
    "tests/doors/test_engine.py",
    "tests/doors/test_http.py",
    "tests/doors/test_odd_objects.py",
    "tests/doors/test_upstream_manifests.py",
    "tests/e2e",
    "tests/engine/test_crd_rules.py",
    "tests/facts/test_autoscaler_status.py",
    "tests/facts/test_blanking.py",
    "tests/facts/test_redaction.py",
    "tests/families/test_bundled_crds.py",
    "tests/families/test_catalogue.py",
    "tests/families/test_command_lines.py",
    "tests/families/test_configured_references.py",
    "tests/families/test_dependence.py",
    "tests/families/test_filling_records.py",
    "tests/families/test_fills.py",
    "tests/families/test_known_and_absent.py",
    "tests/families/test_reads.py",
    "tests/families/test_words.py",
    "tests/ground/test_go_text.py",
    "tests/ground/test_objects.py",
    "tests/ground/test_quantity.py",
    "tests/house/test_no_coverage.py",
    "tests/image",
    "tests/inference_extension/test_corpus.py",
    "tests/inference_extension/test_sweep.py",
    "tests/installation",
    "tests/llmaz/test_corpus.py",
    "tests/llmaz/test_recorded_admission.py",
    "tests/llmkube/defaults/test_properties.py",
    "tests/llmkube/defaults/test_updates.py",
    "tests/llmkube/engines/test_command_line.py",
    "tests/llmkube/engines/test_container.py",
    "tests/llmkube/engines/test_every_field.py",
    "tests/llmkube/engines/test_recorded_launch.py",
    "tests/llmkube/model/test_recorded_model_status.py",
    "tests/llmkube/storage/test_recorded_storage.py",
    "tests/llmkube/test_corpus.py",
    "tests/llmkube/test_crds_equal_upstream.py",
    "tests/llmkube/test_crds_on_server.py",
    "tests/llmkube/test_on_a_server.py",
    "tests/llmkube/test_operator_records.py",
    "tests/llmkube/test_other_kinds_are_total.py",
    "tests/llmkube/test_pasted_entry.py",
    "tests/llmkube/test_recorded_admission.py",
    "tests/llmkube/test_resolve_totality.py",
    "tests/llmkube/test_rule_boundaries.py",
    "tests/llmkube/test_rules_in_situations.py",
    "tests/llmkube/test_rules_on_records.py",
    "tests/llmkube/test_samples_at_zero.py",
    "tests/llmkube/test_version_at_the_doors.py",
    "tests/manifests/test_golden_corpus.py",
    "tests/manifests/test_json_reader.py",
    "tests/manifests/test_properties.py",
    "tests/manifests/test_yaml_limits.py",
    "tests/manifests/test_yaml_reader.py",
    "tests/manifests/test_yaml_text.py",
    "tests/migration/test_corpus.py",
    "tests/ome/test_corpus.py",
    "tests/ome/test_defaults.py",
    "tests/ome/test_operator_records.py",
    "tests/ome/test_page.py",
    "tests/ome/test_pod_webhook_records.py",
    "tests/ome/test_produced_records.py",
    "tests/ome/test_selection_properties.py",
    "tests/placement/test_any_pod.py",
    "tests/placement/test_some_node_takes.py",
    "tests/programs",
    "tests/report/test_escapes.py",
    "tests/schema/test_conformance.py",
    "tests/schema/test_generated_code.py",
    "tests/schema/test_last_accepted_values.py",
    "tests/schema/test_list_types.py",
    "tests/schema/test_patterns.py",
    "tests/schema/test_properties.py",
    "tests/webhook/test_any_json.py",
    "tests/webhook/test_body_sizes.py",
    "tests/webhook/test_bundled.py",
    "tests/webhook/test_certificates.py",
    "tests/webhook/test_copied_process.py",
    "tests/webhook/test_crd_losses.py",
    "tests/webhook/test_full_disk.py",
    "tests/webhook/test_hostile_clients.py",
    "tests/webhook/test_http_fuzz.py",
    "tests/webhook/test_serve_command.py",
    "tests/webhook/test_watched_files.py",
)

#: Whether the running test is measured.
_IS_MEASURED: Final = pytest.StashKey[bool]()


class Controller(Protocol):
    """pytest-cov's controller, which can start and pause the measurement."""

    cov: Coverage
    started: bool

    def pause(self) -> None: ...
    def resume(self) -> None: ...


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Stop the first of two measurements. pytest-cov 7.1 starts two in a worker, and pausing the second resumes the first."""
    if hasattr(session.config, "workerinput") and (controller := _controller(session.config)) is not None:
        controller.cov.stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Measure the import of our modules, then pause: a measured collection takes twice as long."""
    if (controller := _controller(session.config)) is not None:
        for name in modules(session.config.rootpath):
            import_module(name)
        if controller.started:
            controller.pause()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Record whether a test is measured, before its fixtures run."""
    item.config.stash[_IS_MEASURED] = not is_repetition(item.path.relative_to(item.config.rootpath))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> Generator[None, object, object]:
    """Measure the setup of a fixture."""
    with _measuring(request.config):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Measure only the test itself: measuring pytest's work around it, too, would take twice as long."""
    with _measuring(pyfuncitem.config):
        return (yield)


@contextmanager
def _measuring(config: pytest.Config) -> Iterator[None]:
    """Measure here, unless the test repeats others."""
    controller = _controller(config)
    if controller is None or controller.started or not config.stash.get(_IS_MEASURED, False):
        yield
        return
    controller.resume()
    try:
        yield
    finally:
        controller.pause()


def _controller(config: pytest.Config) -> Controller | None:
    """The controller of pytest-cov. `None` without --cov, and in the process that distributes tests to workers."""
    plugin = config.pluginmanager.getplugin("_cov")
    hands_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    return None if plugin is None or hands_out else plugin.cov_controller


def modules(root: Path) -> Iterator[str]:
    """The names of our modules, except for programs (`__main__`)."""
    for package in ("policies", "webhook", "certs"):
        for file in sorted((root / package).rglob("*.py")):
            parts = ("weighbridge", *file.relative_to(root).with_suffix("").parts)
            if parts[-1] != "__main__":
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def is_repetition(path: PurePath) -> bool:
    """Whether a file of tests, by its path in the checkout, is one of these or is in one of these folders."""
    return any(path.is_relative_to(repetition) for repetition in REPETITIONS)
