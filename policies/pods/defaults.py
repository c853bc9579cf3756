"""What the API server fills in of objects that make pods, where an operator leaves it open.

Source: Kubernetes v1.36, pkg/apis/autoscaling/v2/defaults.go and pkg/apis/apps/v1/defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject

#: The metric of a HorizontalPodAutoscaler that has none.
METRIC: Final[JSONObject] = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
#: How a Deployment that doesn't say goes over to a new version of its pod.
STRATEGY: Final[JSONObject] = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}
