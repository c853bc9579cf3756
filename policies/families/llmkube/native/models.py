"""Rules about Models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from weighbridge.policies.families.native import NativeRule, finds, must, native
from weighbridge.policies.families.weights import BITS

_GPU: Final = "object.?spec.hardware.gpu"
_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#: Variables about a Model's GPUs: `wanted` says whether a pod gets one, `resource` is what it requests.
_KNOWN: Final = {
    "accelerator": "object.?spec.hardware.accelerator.orValue('cpu')",
    "vendor": f"{_GPU}.vendor.orValue('nvidia')",
    "runtime": f"{_GPU}.runtime.orValue('')",
    "count": f"{_GPU}.count.orValue(0)",
    "claims": f"{_GPU}.resourceClaims.orValue([])",
    "strategy": f"{_GPU}.sharding.strategy.orValue('')",
    "wanted": (
        f"variables.accelerator != 'metal' && ({_GPU}.enabled.orValue(false) || variables.count > 0 || variables.claims.size() > 0)"
    ),
    "resource": (
        f"{_GPU}.resourceName.orValue(variables.vendor == 'amd' && variables.runtime in ['vulkan', 'rocm'] ? 'devic.es/dri-render'"
        " : {'nvidia': 'nvidia.com/gpu', 'amd': 'amd.com/gpu', 'intel': 'gpu.intel.com/i915'}[variables.vendor])"
    ),
}


def _known(*names: str) -> dict[str, Any]:
    """Some of these variables, by name."""
    return {name: _KNOWN[name] for name in names}


_WANTED: Final[dict[str, Any]] = _known("accelerator", "count", "claims", "wanted")

#: Variables about the files that a Model stages, and whether they can be staged.
_STAGED: Final[dict[str, Any]] = {
    "files": "object.?spec.files.orValue([])",
    "staged": "variables.files + (object.?spec.mmproj.orValue('') == '' ? [] : [object.spec.mmproj])",
    "are_usable": (
        "variables.files.size() > 0 && variables.staged.all(file, file != '' && !file.startsWith('/') && !file.contains('..')"
        " && !file.matches('[*?[]'))"
    ),
}
_QUANTIZATIONS: Final = "|".join(sorted(BITS, key=len, reverse=True))
#: The item of a list, if all its items are equal; empty if it has none, or different ones.
_ONE: Final = "variables.{0}.size() > 0 && variables.{0}.all(one, one == variables.{0}[0]) ? variables.{0}[0] : ''"


def _quantizations(name: str) -> str:
    """The quantizations in the last part of a name, in capitals: each is a word, or the end of a word after an underscore."""
    return (
        f"{name}.upperAscii().find('[^/]*$').replace('__', ' ').findAll('[A-Z0-9_]+')"
        f".map(word, word.find('(^|_)({_QUANTIZATIONS})_?$').find('{_QUANTIZATIONS}')).filter(found, found != '')"
    )


def _amount(field: str) -> str:
    """What is wrong with an amount of memory, as a list."""
    written = f"object.?spec.{field}.orValue('')"
    return (
        f"({written} == '' || (isQuantity({written}) && quantity({written}).isGreaterThan(quantity('0'))) ? []"
        f" : ['spec.{field}: \"' + {written} + '\" is not ' + (isQuantity({written}) ? 'above 0' : 'a quantity')])"
    )


MODELS: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-001": native(
        must(
            "!variables.wanted || variables.accelerator == 'cpu' || variables.accelerator == variables.runtime || variables.accelerator"
            " in {'nvidia': ['cuda'], 'amd': ['rocm', 'vulkan'], 'intel': ['intel', 'vulkan']}[variables.vendor]",
            ".spec.hardware.accelerator",
            says=(
                "'\"' + variables.accelerator + '\" contradicts gpu.vendor \"' + variables.vendor + '\"; the pod will request '"
                " + variables.resource"
            ),
        ),
        **_WANTED,
        **_known("vendor", "runtime", "resource"),
    ),
    "LLMKUBE-003": native(
        must(
            "!variables.wanted || variables.runtime == '' || variables.vendor == 'amd'",
            ".spec.hardware.gpu.runtime",
            says=(
                "'\"' + variables.runtime + '\" has no effect for vendor ' + variables.vendor + '; the pod will request '"
                " + variables.resource"
            ),
        ),
        **_WANTED,
        **_known("vendor", "runtime", "resource"),
    ),
    "LLMKUBE-004": native(
        must(
            "variables.accelerator == 'metal' || variables.count == 0 || variables.claims.size() == 0",
            ".spec.hardware.gpu.count",
            says=(
                "'the pod will request ' + string(variables.count) + ' ' + variables.resource + ' in addition to its '"
                " + string(variables.claims.size()) + ' resourceClaims'"
            ),
        ),
        **_known("accelerator", "count", "claims", "vendor", "runtime", "resource"),
    ),
    "LLMKUBE-006": finds(
        "variables.names.transformList(field, name, variables.faults[field] != '',"
        " 'spec.hardware.gpu.' + field + ': \"' + name + '\" is not a qualified name: ' + variables.faults[field])",
        names=f"{{?'resourceName': {_GPU}.resourceName, ?'tolerationKey': {_GPU}.tolerationKey}}",
        # The CRD's pattern has one slash.
        faults=(
            "variables.names.transformMap(field, name,"
            " name.matches('^requests([.].*)?/') ? 'the prefix requests. is reserved for quotas'"
            f" : name.indexOf('/') > 253 || !name.matches('^{_LABEL}([.]{_LABEL})*/')"
            " ? 'the part before the slash, \"' + name.split('/')[0] + '\", is not a DNS subdomain'"
            " : name.split('/')[1].size() > 63"
            " ? 'the part after the slash has ' + string(name.split('/')[1].size()) + ' characters; at most 63 are allowed'"
            " : !name.matches('/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')"
            " ? 'the part after the slash, \"' + name.split('/')[1] + '\", must begin and end with a letter or digit' : '')"
        ),
    ),
    "LLMKUBE-007": finds(
        "variables.claims.transformList(i, claim,"
        " variables.names.indexOf(claim.name) < i || !claim.name.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'),"
        " 'spec.hardware.gpu.resourceClaims[' + string(i) + '].name: \"' + claim.name + '\" is '"
        " + (variables.names.indexOf(claim.name) < i ? 'the name of another claim of this pod already' : 'not a DNS label'))"
        " + variables.claims.transformList(i, claim,"
        " claim.?resourceClaimName.orValue('-') == '' || claim.?resourceClaimTemplateName.orValue('-') == '',"
        " 'spec.hardware.gpu.resourceClaims[' + string(i) + '].'"
        " + (has(claim.resourceClaimName) ? 'resourceClaimName' : 'resourceClaimTemplateName') + ': is empty; it must name a claim')",
        **_known("claims"),
        names="variables.claims.map(claim, claim.name)",
    ),
    "LLMKUBE-011": finds(
        "variables.split.size() == 0 ? [] : variables.count <= 1 || variables.strategy == 'none'"
        " ? [variables.place + ': has no effect with one GPU or with strategy none']"
        " : variables.split.size() != variables.count ? [variables.place + ': has ' + string(variables.split.size())"
        " + (variables.split.size() == 1 ? ' entry' : ' entries') + ' for ' + string(variables.count) + ' GPUs, so it is ignored']"
        " : variables.split.transformList(i, entry, !entry.matches('^[0-9]{1,9}-[0-9]{1,9}$')"
        " || int(entry.split('-')[0]) > int(entry.split('-')[1]),"
        " variables.place + '[' + string(i) + ']: \"' + entry + '\" is not a range, so the whole split is ignored')",
        **_known("strategy", "count"),
        split=f"{_GPU}.sharding.layerSplit.orValue([])",
        place="'spec.hardware.gpu.sharding.layerSplit'",
    ),
    "LLMKUBE-012": finds(f"{_amount('hardware.memoryBudget')} + {_amount('hardware.gpu.memory')}"),
    "LLMKUBE-014": native(
        must(
            "!variables.wanted || object.?spec.hardware.accelerator.orValue('') != 'cpu' || variables.fitting == ''",
            ".spec.hardware.accelerator",
            says=(
                "'\"cpu\" isn\\'t the GPU\\'s accelerator, so the readiness check doesn\\'t look for the GPU; set it to '"
                " + variables.fitting"
            ),
        ),
        **_WANTED,
        **_known("vendor", "runtime"),
        fitting="variables.vendor == 'amd' ? variables.runtime : {'nvidia': 'cuda', 'intel': 'intel'}[variables.vendor]",
    ),
    "LLMKUBE-028": native(
        must(
            "!variables.wanted || variables.count < 1"
            " || !(variables.strategy in (variables.count == 1 ? ['tensor', 'row', 'pipeline'] : ['none', 'pipeline']))",
            ".spec.hardware.gpu.sharding.strategy",
            says=(
                "variables.count == 1 ? variables.strategy + ' has no effect with one GPU'"
                " : variables.strategy == 'pipeline' ? 'pipeline has the effect of layer'"
                " : 'strategy none computes on one GPU and leaves ' + string(variables.count - 1) + ' of ' + string(variables.count)"
                " + ' idle'"
            ),
        ),
        **_WANTED,
        **_known("strategy"),
    ),
    "LLMKUBE-029": native(
        must("variables.stated.size() == 0", ".spec.resources", says="'no pod requests ' + variables.stated.join(' and ') + ' of a Model'"),
        stated=(
            "[object.?spec.resources.cpu.orValue('') != '' ? 'cpu' : '',"
            " object.?spec.resources.memory.orValue('') != '' ? 'memory' : ''].filter(name, name != '')"
        ),
    ),
    "LLMKUBE-030": native(
        must(
            "variables.stated == '' || variables.held == '' || variables.stated == variables.held",
            ".spec.quantization",
            says="variables.stated + ' has no effect; the file is ' + variables.held + ': \"' + variables.file + '\"'",
        ),
        **_STAGED,
        file="variables.are_usable ? variables.files[0] : object.?spec.source.orValue('')",
        in_field=_quantizations("object.?spec.quantization.orValue('')"),
        in_file=_quantizations("variables.file"),
        stated=_ONE.format("in_field"),
        held=_ONE.format("in_file"),
    ),
    "LLMKUBE-032": native(
        must(
            "variables.accelerator != 'metal' || variables.count == 0",
            ".spec.hardware.gpu.count",
            "has no effect with accelerator metal, which runs no pod; a GPUQuota charges the GPUs all the same",
        ),
        must(
            "variables.accelerator != 'metal' || variables.count > 0 || variables.claims.size() == 0",
            ".spec.hardware.gpu.resourceClaims",
            "has no effect with accelerator metal, which runs no pod",
        ),
        **_known("accelerator", "count", "claims"),
    ),
    "LLMKUBE-034": native(
        must(
            "variables.accelerator == 'metal' || object.?spec.hardware.memoryBudget.orValue('') == ''",
            ".spec.hardware.memoryBudget",
            "has no effect, since only the Metal agent reads it and the accelerator isn't metal",
        ),
        must(
            "variables.accelerator == 'metal' || !has(object.spec.hardware) || !has(object.spec.hardware.memoryFraction)"
            " || object.spec.hardware.memoryFraction == 0.0",
            ".spec.hardware.memoryFraction",
            "has no effect, since only the Metal agent reads it and the accelerator isn't metal",
        ),
        **_known("accelerator"),
    ),
    "LLMKUBE-036": native(
        must(
            "variables.accelerator == 'metal' || object.metadata.?name.orValue('').size() <= 63",
            ".metadata.name",
            says=(
                "'the name has ' + string(object.metadata.name.size())"
                " + ' characters, but it becomes a label of the pods, which may have 63'"
            ),
        ),
        **_known("accelerator"),
    ),
    "LLMKUBE-037": native(
        must(
            "object.?spec.format.orValue('gguf') != 'gguf' || !variables.are_usable"
            " || !variables.staged.exists(file, file.matches('[.](safetensors|bin|pt)$'))"
            " || variables.staged.exists(file, file.endsWith('.gguf'))",
            ".spec.format",
            says=("'is gguf, so vLLM and SGLang load only \"' + variables.files[0] + '\" and not the folder with all files'"),
        ),
        **_STAGED,
    ),
}
