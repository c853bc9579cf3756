"""Written by `make schemas`: the kinds of each rule, by the name of its module."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "gie_001_model_name_taken": ("InferenceModel",),
    "gie_002_pool_missing": ("InferenceModel", "InferenceModelRewrite", "InferenceObjective"),
    "gie_003_target_model_repeated": ("InferenceModel", "InferenceModelRewrite"),
    "gie_004_name_empty": ("InferenceModel", "InferenceModelRewrite"),
    "gie_005_pool_kind_ignored": ("InferenceModel",),
    "gie_006_kind_removed": ("InferenceModel", "InferenceModelRewrite", "InferenceObjective", "InferencePool"),
    "gie_007_pool_group_differs": ("InferenceModel", "InferenceModelRewrite", "InferenceObjective"),
    "gie_008_pool_kind_not_served": ("InferenceModelRewrite", "InferenceObjective"),
    "gie_009_selector_empty": ("InferencePool",),
    "gie_010_picker_missing": ("InferencePool",),
    "gie_011_picker_port_missing": ("InferencePool",),
    "gie_012_picker_external": ("InferencePool",),
    "gie_013_picker_not_a_service": ("InferencePool",),
    "gie_014_picker_left_out": ("InferencePool",),
    "gie_015_selector_without_pods": ("InferencePool",),
    "gie_016_target_port_not_declared": ("InferencePool",),
    "gie_017_selectors_overlap": ("InferencePool",),
    "gie_018_selector_key_impossible": ("InferencePool",),
    "gie_019_picker_shared": ("InferencePool",),
    "gie_020_picker_at_target_port": ("InferencePool",),
    "gie_021_route_refers_elsewhere": ("InferencePool",),
    "gie_022_weights_partial": ("InferenceModelRewrite",),
    "gie_023_match_taken": ("InferenceModelRewrite",),
    "gie_024_match_repeated": ("InferenceModelRewrite",),
    "gie_025_rule_without_targets": ("InferenceModelRewrite",),
    "gie_026_picker_of_another_pool": ("InferencePool",),
    "gie_027_selector_takes_workers": ("InferencePool",),
}
