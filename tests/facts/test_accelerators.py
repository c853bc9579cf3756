"""A node's accelerators by its labels, and the product of a resource's units."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts.accelerators import product_text, recognise, recognise_label, slicing_text
from weighbridge.policies.facts.accelerators.amd import AMD
from weighbridge.policies.facts.accelerators.clouds import vendor_of_instance


@pytest.mark.parametrize(
    ("labels", "resource", "product"),
    [
        ({"amd.com/gpu.device-id": "74a1"}, "amd.com/gpu", "AMD Instinct MI300X"),
        ({"amd.com/gpu.device-id": "0x74A5"}, "amd.com/gpu", "AMD Instinct MI325X"),
        ({"amd.com/gpu.device-id": "ffff"}, "amd.com/gpu", "AMD device ffff"),
        ({"beta.amd.com/gpu.device-id.740f": "8"}, "amd.com/gpu", "AMD Instinct MI210"),
        (
            {"amd.com/gpu.device-id.74a1": "4", "amd.com/gpu.device-id.740f": "4"},
            "amd.com/gpu",
            "AMD Instinct MI210 and AMD Instinct MI300X",
        ),
        ({"amd.com/gpu.device-id.74a1": "0"}, "amd.com/gpu", ""),
        ({"amd.com/gpu.device-id.74a1": ""}, "amd.com/gpu", ""),
        ({"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM"}, "amd.com/gpu", "AMD Instinct MI300X OAM"),
        ({"gpu.amd.com/model": "MI250X"}, "amd.com/cpx_nps4", "AMD MI250X"),
        ({"amd.com/gpu.device-id": "74a1"}, "devic.es/dri-render", "AMD Instinct MI300X"),
        ({"amd.com/gpu.device-id": "74a1"}, "nvidia.com/gpu", ""),
        ({"amd.com/gpu.device-id": "74a1"}, "cpu", ""),
        ({"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}, "nvidia.com/gpu", "NVIDIA H100-80GB-HBM3"),
        ({"nvidia.com/gpu.product": "A100-SXM4-40GB"}, "nvidia.com/gpu", "NVIDIA A100-SXM4-40GB"),
        ({"nvidia.com/gpu.product": "Tesla-T4-SHARED"}, "nvidia.com/gpu", "NVIDIA Tesla-T4, shared"),
        ({"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"}, "nvidia.com/gpu", "NVIDIA A100-SXM4-40GB, MIG 1g.5gb"),
        ({"nvidia.com/gpu.product": "NVIDIA-A30"}, "nvidia.com/mig-1g.6gb", ""),
        ({"nvidia.com/mig-1g.6gb.product": "NVIDIA-A30-MIG-1g.6gb"}, "nvidia.com/mig-1g.6gb", "NVIDIA A30, MIG 1g.6gb"),
        ({"cloud.google.com/gke-accelerator": "nvidia-l4"}, "nvidia.com/gpu", "NVIDIA l4"),
        ({"node.kubernetes.io/instance-type": "p5.48xlarge"}, "nvidia.com/gpu", "NVIDIA H100"),
        ({"beta.kubernetes.io/instance-type": "BM.GPU.A10.4"}, "nvidia.com/gpu", "NVIDIA A10"),
        ({"node.kubernetes.io/instance-type": "m5.large"}, "nvidia.com/gpu", ""),
        (
            {"karpenter.azure.com/sku-gpu-name": "T4", "karpenter.azure.com/sku-gpu-manufacturer": "nvidia"},
            "nvidia.com/gpu",
            "NVIDIA T4",
        ),
        ({"gpu.intel.com/product": "Max_1550"}, "gpu.intel.com/i915", "Intel Max 1550 GPU"),
        ({"gpu.intel.com/product": "Max_1550"}, "gpu.intel.com/memory.max", ""),
        ({"gpu.intel.com/device-id.0380-56c0.count": "2"}, "gpu.intel.com/xe", "Intel Flex 170 GPU"),
        ({"feature.node.kubernetes.io/pci-1200_1002_74a1.present": "true"}, "amd.com/gpu", "AMD Instinct MI300X"),
        ({"feature.node.kubernetes.io/pci-1002_740f.present": "true"}, "amd.com/gpu", "AMD Instinct MI210"),
        ({"feature.node.kubernetes.io/pci-0302_10de.present": "true"}, "nvidia.com/gpu", ""),
    ],
)
def test_a_unit_of_a_resource_has_the_name_that_the_labels_tell(labels: dict[str, str], resource: str, product: str) -> None:
    assert product_text(recognise(labels), resource) == product


@pytest.mark.parametrize(
    ("label", "vendor"),
    [
        ("feature.node.kubernetes.io/pci-0302_10de.present", "NVIDIA"),
        ("feature.node.kubernetes.io/pci-10de.present", "NVIDIA"),
        ("feature.node.kubernetes.io/pci-0380_1002.present", "AMD"),
        ("feature.node.kubernetes.io/amd-gpu", "AMD"),
        ("intel.feature.node.kubernetes.io/gpu", "Intel"),
        ("feature.node.kubernetes.io/pci-0200_8086.present", ""),
        ("feature.node.kubernetes.io/pci-8086.present", ""),
    ],
)
def test_some_labels_tell_the_vendor_alone(label: str, vendor: str) -> None:
    assert [(held.vendor, held.model) for held in recognise({label: "true"})] == ([(vendor, "")] if vendor else [])
    assert recognise_label(label, "true") is None


def test_the_newer_spelling_speaks_for_the_node() -> None:
    labels = {
        "amd.com/gpu.device-id": "74a1",
        "beta.amd.com/gpu.device-id.74a1": "8",
        "amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM",
    }
    assert [held.label for held in recognise(labels)] == ["amd.com/gpu.device-id=74a1"]


@pytest.mark.parametrize(
    ("spellings", "model"),
    [
        (("AMD_Instinct_MI300X_OAM", "MI300X", "Instinct MI300X", "mi300x"), "MI300X"),
        (("AMD_Instinct_MI325_OAM",), "MI325"),
        (("AMD Radeon RX 7900",), "RX7900"),
    ],
)
def test_spellings_of_one_product_have_its_model_in_common(spellings: tuple[str, ...], model: str) -> None:
    assert {AMD.named(name).model for name in spellings} == {model}


@pytest.mark.parametrize(
    ("product", "model"),
    [
        ("NVIDIA-H100-80GB-HBM3", "H100"),
        ("NVIDIA-RTX-A6000", "A6000"),
        ("RTX-4090", "4090"),
        ("Tesla-T4-SHARED", "T4"),
        ("nvidia-h100-80gb", "H100"),
    ],
)
def test_nvidia_s_models_are_read_as_the_aim_operator_reads_them(product: str, model: str) -> None:
    found = recognise_label("nvidia.com/gpu.product", product)
    assert found is not None
    assert found.model == model


@pytest.mark.parametrize(
    ("product", "resource", "text"),
    [
        ("NVIDIA-A100-SXM4-40GB", "nvidia.com/mig-1g.5gb", "which MIG can cut into 1g.5gb"),
        ("NVIDIA-A100-SXM4-40GB", "nvidia.com/mig-1g.5gb.me", "which MIG can cut into 1g.5gb+me"),
        ("NVIDIA-A30", "nvidia.com/mig-1g.5gb", "which MIG cuts into 1g.6gb, 1g.6gb+me, 2g.12gb, 2g.12gb+me, 4g.24gb"),
        ("NVIDIA-H100-PCIe", "nvidia.com/mig-1g.10gb", ""),
        ("NVIDIA-A100-SXM4-40GB", "nvidia.com/gpu", ""),
        ("Tesla-T4", "nvidia.com/mig-1g.5gb", ""),
    ],
)
def test_the_slices_of_a_gpu_are_told_to_who_asks_for_one(product: str, resource: str, text: str) -> None:
    found = recognise_label("nvidia.com/gpu.product", product)
    assert found is not None
    assert slicing_text(found, resource) == text


@pytest.mark.parametrize(
    ("name", "vendor"), [("p5", "NVIDIA"), ("g6e.xlarge", "NVIDIA"), ("g", "NVIDIA"), ("g4ad.xlarge", "AMD"), ("c7g", ""), ("m5.large", "")]
)
def test_instances_are_known_by_their_family(name: str, vendor: str) -> None:
    assert vendor_of_instance(name) == vendor


def test_device_ids_have_the_models_that_the_aim_operator_gives_them() -> None:
    aim = {
        "MI100": "738c 738e",
        "MI210": "740f 7410",
        "MI250X": "7408 740c",
        "MI300A": "74a0",
        "MI300X": "74a1 74a9 74b5 74bd",
        "MI308X": "74a2 74a8 74b6",
        "MI325X": "74a5 74b9",
        "MI350X": "75a0 75b0",
        "MI355X": "75a3 75b3",
        "V710": "7460 7461",
        "W7900": "7448 744a",
        "W7800": "7449 745e",
        "W6900X": "73a2",
        "W6800": "73a3",
        "W6800X": "73ab",
        "V620": "73a1 73ae",
        "RX9070": "7550",
        "RX7900": "744c",
        "RX6900": "73af",
        "RX6800": "73bf",
    }
    models = {device: model for model, devices in aim.items() for device in devices.split()}
    assert len(models) == 35
    assert {device: AMD.devices[device].model for device in models} == models
