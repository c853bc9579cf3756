"""The image for CI runs the script of a job: a shell, git, and the program, in a checkout to which it may write."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from deploy.image.build import Built, root_of
from deploy.image.debian import missing_tools
from deploy.image.kinds import CI
from tests.rendering.trees import model

pytestmark = pytest.mark.timeout(600)

#: A runner's command: the checkout is mounted, and the script goes to the shell.
_ENTER: Final = (
    'mkdir -p "$1/work" && mount --bind "$2" "$1/work" && mount --bind /dev "$1/dev" && cd "$1" && exec chroot . /bin/sh -ec "cd /work; $3"'
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    if missing := missing_tools():
        pytest.skip(f"no {' and no '.join(missing)}: the image is built on Debian 12")
    return root_of(tmp_path_factory.mktemp("image"), kind=CI)


def job(built: Built, checkout: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a job's script."""
    command = ["unshare", "--mount", "sh", "-ec", _ENTER, "sh", str(built.root), str(checkout), script]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={"PATH": f"/usr/sbin:/sbin:{CI.path}", "HOME": "/tmp"}
    )


def test_a_job_lints_what_has_changed_and_keeps_its_report(built: Built, tmp_path: Path) -> None:
    (tmp_path / "kept.yaml").write_text(model("kept").replace("accelerator: cuda", "accelerator: rocm"))
    begin = "git init -q -b main . && git config user.email a@b && git config user.name a && git add . && git commit -q -m first"
    assert job(built, tmp_path, begin).returncode == 0
    (tmp_path / "new.yaml").write_text(model("new").replace("accelerator: cuda", "accelerator: rocm"))
    done = job(built, tmp_path, "weighbridge lint --changed-since HEAD -o text -o sarif=report.sarif; echo never")
    assert done.returncode == 1, done.stderr
    assert "new.yaml" in done.stdout
    assert "kept.yaml" not in done.stdout
    assert "never" not in done.stdout
    assert '"LLMKUBE-001"' in (tmp_path / "report.sarif").read_text()


def test_usual_programs_of_scripts_are_there(built: Built, tmp_path: Path) -> None:
    done = job(
        built,
        tmp_path,
        "printf 'b\\na\\n' | sort | sed s/a/c/ | awk '{print NR $0}' | grep -c . | xargs echo; ls /bin/sh; which wget tar find",
    )
    assert done.stdout.split() == ["2", "/bin/sh", "/usr/bin/wget", "/usr/bin/tar", "/usr/bin/find"], done.stderr


def test_its_bill_names_git_and_the_shell(built: Built) -> None:
    named = {component["name"]: component["licenses"] for component in built.bill["components"]}
    assert named.keys() >= {*CI.packages}
    assert built.bill["metadata"]["component"]["name"] == "weighbridge-ci"
