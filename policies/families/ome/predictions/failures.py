"""Why OME stops at a service, by the checks of its webhook and then of its controller, in their order.

Sources: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go and
pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.installed import is_installed
from weighbridge.policies.families.ome.operator import operator_of
from weighbridge.policies.families.ome.subject.selection.choice import FITS, NO_CLASS, why_not
from weighbridge.policies.families.ome.subject.service import Service


def refusal_of(service: Service) -> str:
    """Why OME's webhook refuses the service for its settings, its model or its runtime; empty if it doesn't, or if that isn't known."""
    if refused := operator_of(service.facts).refusal:
        return f"OME's webhook refuses every service: {refused}"
    model = service.model_reference
    if model.is_missing:
        return f"model {model.name} exists neither in namespace {service.namespace} nor in the cluster"
    if not service.is_selected_at_admission:
        return ""
    if not model.name:
        return "it names neither a model nor a runtime, and its engine has no runner with an image"
    if model.model is None:
        return ""
    return _no_selection(service)


def failure_of(service: Service) -> str:
    """Why OME stops; empty if it goes on to create pods."""
    refused = refusal_of(service)
    if refused or service.is_virtual:
        return refused
    if service.is_serverless and is_installed("serving.knative.dev", service.facts) is False:
        return "OME's controller rejects the mode Serverless, for which Knative Serving isn't installed"
    model = service.model_reference
    if model.unknown:
        return ""
    if not model.name:
        return "it names no model, and OME's controller creates nothing without one"
    if model.is_described is False:
        return f"{model.described} doesn't exist, which spec.model.kind names"
    if model.model is not None and model.model.is_disabled:
        return f"{model.model.title} is disabled"
    named = service.named
    if named is not None:
        return _named(service)
    failure = _no_selection(service)
    return failure or _no_class(service)


def _named(service: Service) -> str:
    """Why the named runtime can't be used."""
    named = service.named
    if named is None or named.unknown:
        return ""
    if named.runtime is None:
        return f"runtime {named.name} is neither in namespace {service.namespace} nor in the cluster"
    model = service.model
    if named.candidate is None or model is None:
        return ""
    if service.awaited:
        return ""
    if named.candidate.outcome == NO_CLASS and service.missing_classes:
        return _no_such_class(service.missing_classes[0][0])
    if named.candidate.outcome != FITS:
        return f"{named.runtime.title} can't serve {model.title}: {why_not(model, named.candidate, service.demanded)}"
    return _no_class(service)


def _no_selection(service: Service) -> str:
    """Why no runtime is selected."""
    model = service.model
    if model is None:
        return ""
    if model.is_disabled:
        return f"{model.title} is disabled"
    if service.awaited:
        # OME's webhook refuses the service, while its controller would wait.
        awaits = f"{model.title} has no {service.awaited} yet, by which a runtime is selected"
        return awaits if service.is_selected_at_admission else ""
    selection = service.selection
    if selection is None or selection.chosen is not None:
        return ""
    if service.missing_classes and not selection.blocking:
        return _no_such_class(service.missing_classes[0][0])
    if selection.blocking:
        names = ", ".join(found.runtime.title for found in selection.blocking)
        return f"OME panics on {names}: the modelSizeRange has one bound only"
    return "" if service.unknown_runtimes else f"no runtime can be selected for {model.title}"


def _no_class(service: Service) -> str:
    """Why a component gets no accelerator class, if OME stops because of that."""
    for choice in service.classes.values():
        if choice.panics:
            return "OME's controller panics on policy BestFit without constraints"
        if choice.name and choice.accelerator is None and not choice.unknown:
            return _no_such_class(choice.name)
    return ""


def _no_such_class(name: str) -> str:
    return f"AcceleratorClass {name} doesn't exist"
