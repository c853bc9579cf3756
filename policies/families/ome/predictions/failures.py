"""Where OME comes no further with a service, in the order in which its webhook and then its controller look.

Sources: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go and
pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.selection.choice import FITS, NO_CLASS, why_not
from weighbridge.policies.families.ome.subject.service import Serving


def refusal_of(serving: Serving) -> str:
    """Why OME's webhook refuses the service for its model or runtime; empty where it doesn't, or that can't be told."""
    model = serving.model
    if model.is_missing:
        return f"model {model.name} isn't there, neither in namespace {serving.namespace} nor in the cluster"
    if not serving.is_selected_at_admission:
        return ""
    if not model.name:
        return "it names neither a model nor a runtime, and its engine has no runner with an image"
    if model.model is None:
        return ""
    return _no_selection(serving)


def failure_of(serving: Serving) -> str:
    """Where OME comes no further; empty where it goes on to make pods."""
    refused = refusal_of(serving)
    if refused or serving.is_virtual:
        return refused
    model = serving.model
    if model.unknown:
        return ""
    if not model.name:
        return "it names no model, and OME's controller makes nothing without one"
    if model.is_described is False:
        return f"there is no {model.described}, which spec.model.kind says to describe"
    if model.model is not None and model.model.is_disabled:
        return f"{model.model.title} is disabled"
    named = serving.named
    if named is not None:
        return _named(serving)
    failure = _no_selection(serving)
    return failure or _no_class(serving)


def _named(serving: Serving) -> str:
    """Why the named runtime can't be used."""
    named = serving.named
    if named is None or named.unknown:
        return ""
    if named.runtime is None:
        return f"runtime {named.name} is neither in namespace {serving.namespace} nor in the cluster"
    model = serving.model.model
    if named.candidate is None or model is None:
        return ""
    if serving.awaited:
        return ""
    if named.candidate.outcome == NO_CLASS and serving.missing_classes:
        return _no_such_class(serving.missing_classes[0][0])
    if named.candidate.outcome != FITS:
        return f"{named.runtime.title} can't serve {model.title}: {why_not(model, named.candidate, serving.demanded)}"
    return _no_class(serving)


def _no_selection(serving: Serving) -> str:
    """Why no runtime is selected."""
    model = serving.model.model
    if model is None:
        return ""
    if model.is_disabled:
        return f"{model.title} is disabled"
    if serving.awaited:
        # OME's webhook refuses what its controller waits for.
        told = f"{model.title} has no {serving.awaited} yet, by which a runtime is selected"
        return told if serving.is_selected_at_admission else ""
    selection = serving.selection
    if selection is None or selection.chosen is not None:
        return ""
    if serving.missing_classes and not selection.blocking:
        return _no_such_class(serving.missing_classes[0][0])
    if selection.blocking:
        names = ", ".join(found.runtime.title for found in selection.blocking)
        return f"OME panics on {names}: the modelSizeRange has one bound only"
    return "" if serving.unknown_runtimes else f"no runtime can be selected for {model.title}"


def _no_class(serving: Serving) -> str:
    """Why a component gets no accelerator class, where that ends it."""
    for choice in serving.classes.values():
        if choice.panics:
            return "OME's controller panics on policy BestFit without constraints"
        if choice.name and choice.accelerator is None and not choice.unknown:
            return _no_such_class(choice.name)
    return ""


def _no_such_class(name: str) -> str:
    return f"AcceleratorClass {name} isn't there"
