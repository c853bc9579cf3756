"""Rules about ModelRouters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.native import NativeRule, finds, flat, must, native

_IS_GATEWAY: Final = "object.?spec.dataPlane.orValue('') == 'Gateway'"
_BACKENDS: Final = "object.?spec.backends.orValue([])"
_NAMES: Final = f"{_BACKENDS}.map(backend, backend.name)"
_RULES: Final = "object.?spec.rules.orValue([])"
_BUDGETS: Final = "object.?spec.policy.budgets.orValue([])"
_GATEWAY_BUDGETS: Final = f"{_IS_GATEWAY} ? {_BUDGETS} : []"
_JWT: Final = "object.?spec.policy.auth.jwt"
_SENSITIVE: Final = "object.?spec.policy.classification.sensitiveClassifications.orValue([])"
_CLASSES: Final = f"{_SENSITIVE}.size() > 0 ? {_SENSITIVE} : ['pii', 'phi']"
_ELSEWHERE: Final = "which the gateway data plane cannot match; only model name and headers are supported in dataPlane: Gateway"


def _at(place: str, rest: str = "") -> str:
    """The place of an item of a list, in CEL."""
    return f"'spec.{place}[' + string(i) + ']{rest}: "


ROUTERS: Final[Mapping[str, NativeRule]] = {
    "LLMKUBE-100": finds(
        f"{_BACKENDS}.transformList(i, backend, has(backend.inferenceServiceRef) == has(backend.external),"
        f" {_at('backends')}exactly one of inferenceServiceRef or external must be set'"
        " + (has(backend.external) ? ', not both' : ''))"
    ),
    "LLMKUBE-101": finds(
        "variables.names.transformList(i, name, variables.names.indexOf(name) < i,"
        f" {_at('backends', '.name')}duplicate backend name \"' + name + '\"')",
        names=_NAMES,
    ),
    "LLMKUBE-102": finds(
        f"{_BACKENDS}.transformList(i, backend, has(backend.inferenceServiceRef) && backend.?tier.orValue('') == 'cloud',"
        f" {_at('backends', '.tier')}tier=cloud is invalid for a backend with inferenceServiceRef (use tier=local)')"
    ),
    "LLMKUBE-104": finds(
        "(variables.default == '' || variables.default in variables.names"
        " ? [] : ['spec.defaultRoute: references undefined backend ' + strings.quote(variables.default)])"
        " + variables.of_rules",
        names=_NAMES,
        default="object.?spec.defaultRoute.orValue('')",
        of_rules=flat(
            f"{_RULES}.transformList(i, rule, rule.route.backends.transformList(at, name, !(name in variables.names), 'spec.rules['"
            " + string(i) + '].route.backends[' + string(at) + ']: references undefined backend ' + strings.quote(name)))"
        ),
    ),
    "LLMKUBE-105": finds(
        "variables.matched.transformList(i, listed, listed != '[]' && !variables.rules[i].?failClosed.orValue(false),"
        f" {_at('rules', '.failClosed')}rule matches sensitive classifications ' + listed + ' and must set failClosed=true')"
        " + variables.of_routes",
        rules=_RULES,
        names=_NAMES,
        tiers=f"{_BACKENDS}.map(backend, backend.?tier.orValue(''))",
        classes=_CLASSES,
        matched=(
            "variables.rules.map(rule, '[' + rule.?match.dataClassification.orValue([]).filter(name, name in variables.classes).join(' ')"
            " + ']')"
        ),
        of_routes=flat(
            "variables.matched.transformList(i, listed, listed != '[]', variables.rules[i].route.backends.transformList(at, name,"
            " name in variables.names && variables.tiers[variables.names.lastIndexOf(name)] == 'cloud',"
            " 'spec.rules[' + string(i) + '].route.backends[' + string(at) + ']: sensitive-data rule cannot route to cloud-tier backend '"
            " + strings.quote(name) + ' (matched classifications: ' + listed + ')'))"
        ),
    ),
    "LLMKUBE-106": finds(
        f"{_BUDGETS}.transformList(i, budget, budget.scope == 'rule' && !(budget.?ruleName.orValue('') in variables.names),"
        f" {_at('policy.budgets', '.ruleName')}' + (budget.?ruleName.orValue('') == '' ? 'ruleName is required when scope=rule'"
        " : 'references undefined rule ' + strings.quote(budget.ruleName)))"
        f" + {_BUDGETS}.transformList(i, budget, !has(budget.maxTokens) && !has(budget.maxUSD),"
        f" {_at('policy.budgets')}must set at least one of maxTokens or maxUSD')",
        names=f"{_RULES}.map(rule, rule.name)",
    ),
    "LLMKUBE-107": finds(
        "variables.rules.transformList(i, rule, variables.uses[i] != '',"
        f" {_at('rules', '.match')}rule \"' + rule.name + '\" uses ' + variables.uses[i] + ', {_ELSEWHERE}')"
        " + variables.rules.transformList(i, rule, rule.route.?strategy.orValue('') == 'shadow',"
        f' {_at("rules", ".route.strategy")}rule "\' + rule.name + \'" uses strategy "shadow", which has no gateway equivalent;'
        " use primary-fallback or weighted in dataPlane: Gateway')",
        rules=f"{_IS_GATEWAY} ? {_RULES} : []",
        uses=(
            "variables.rules.map(rule, [rule.?match.dataClassification.orValue([]).size() > 0"
            " && object.?spec.policy.classification.mode.orValue('header-only') != 'header-only'"
            " ? 'dataClassification (detector/hybrid classifier not implemented; use header-only mode)' : '',"
            " rule.?match.models.orValue([]).exists(name, name.matches('[*?[]')) ? 'glob model pattern' : '',"
            " rule.?match.latencySLOMs.hasValue() ? 'latencySLOMs' : '',"
            " rule.?match.requiredCapabilities.orValue([]).size() > 0 ? 'requiredCapabilities' : '',"
            " rule.?match.taskComplexity.hasValue() ? 'taskComplexity' : ''].filter(name, name != '').join(', '))"
        ),
    ),
    "LLMKUBE-108": finds(
        "variables.budgets.transformList(i, budget, has(budget.maxUSD) || budget.scope == 'rule' || !has(budget.maxTokens),"
        " 'spec.policy.budgets[' + string(i) + ']' + (has(budget.maxUSD) ? '.maxUSD: budget \"' + budget.name"
        " + '\" sets maxUSD; dollar budgets are not yet supported in dataPlane: Gateway (the gateway rate-limits on tokens, and there is no"
        " single honest token conversion across heterogeneous backend costs). Use maxTokens, or track maxUSD via the Proxy data plane'"
        " : budget.scope == 'rule' ? '.scope: budget \"' + budget.name + '\" uses scope \"rule\", which is not yet supported in dataPlane:"
        " Gateway; use scope router (total cap) or team (per-tenant cap)'"
        " : ': budget \"' + budget.name + '\" sets neither maxTokens nor maxUSD; at least one cap is required'))",
        budgets=_GATEWAY_BUDGETS,
    ),
    "LLMKUBE-109": native(
        must(
            f"!({_IS_GATEWAY}) || !object.?spec.policy.auditLog.hasValue()",
            ".spec.policy.auditLog",
            "has no effect with dataPlane: Gateway, where access logs are configured on the gateway",
        )
    ),
    "LLMKUBE-110": finds(
        f"!({_IS_GATEWAY}) || variables.teams.size() == 0 ? [] : !{_JWT}.hasValue()"
        " ? ['spec.policy.auth.allowlists: policy.auth.allowlists is set but policy.auth.jwt is not; authorization matches on a"
        " verified JWT claim and cannot be enforced without authentication. Configure policy.auth.jwt, or remove the allowlists']"
        " : variables.teams.transformList(i, team, team.trim() != team || variables.teams.indexOf(team) < i,"
        f" {_at('policy.auth.allowlists', '.team')}policy.auth.allowlists' + (team.trim() == '' ? '[' + string(i) + '] has an empty team;"
        " every allowlist entry must name the verified team it grants access to'"
        " : team.trim() != team ? ' team ' + strings.quote(team) + ' has leading or trailing whitespace and would never match the exact JWT"
        " claim; trim the team value'"
        " : ' has duplicate team ' + strings.quote(team) + '; declare each team at most once (list all its models in a single entry)'))",
        teams="object.?spec.policy.auth.allowlists.orValue([]).map(entry, entry.team)",
    ),
    "LLMKUBE-111": native(
        must(
            f"!({_IS_GATEWAY}) || object.?spec.gatewayRef.hasValue()",
            ".spec.gatewayRef",
            "is missing; with dataPlane: Gateway the operator creates nothing without it",
        )
    ),
    "LLMKUBE-117": finds(
        f"{_IS_GATEWAY} ? [] : (object.?spec.policy.auth.jwt.hasValue() || object.?spec.policy.auth.allowlists.hasValue()"
        " ? ['spec.policy.auth: isn\\'t enforced by the proxy, so everyone may use the router'] : [])"
        " + (object.?spec.gatewayRef.hasValue() ? ['spec.gatewayRef: has no effect with dataPlane: Proxy'] : [])"
        " + (object.?spec.endpoint.nodePort.hasValue()"
        " ? ['spec.endpoint.nodePort: has no effect; the API server picks a port'] : [])"
        f" + {_RULES}.transformList(i, rule, rule.?match.latencySLOMs.hasValue(),"
        f" {_at('rules', '.match.latencySLOMs')}has no effect' + (has(rule.match.dataClassification) || has(rule.match.taskComplexity)"
        " || has(rule.match.requiredCapabilities) || has(rule.match.headers) || has(rule.match.models)"
        " ? '' : ', and without another condition the rule matches every request'))"
    ),
    "LLMKUBE-118": native(
        must(
            f"{_IS_GATEWAY} || variables.port == 8080",
            ".spec.endpoint.port",
            says="'the proxy listens on 8080, so a Service with target port ' + string(variables.port) + ' reaches nothing'",
        ),
        port="object.?spec.endpoint.port.orValue(8080)",
    ),
}
