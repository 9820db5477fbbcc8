"""Holds Kubernetes manifests (standard input) to the schemas of a version of Kubernetes, which come with the package kubernetes-validate.

Prints a line for each fault and ends with 1 if there is one. Kinds of other API groups (KEDA, the Prometheus operator) have no schema here: they
are counted and named.
"""

import sys

import kubernetes_validate
import yaml

VERSION = "1.37"
OTHERS = ("monitoring.coreos.com/", "keda.sh/")

faults = []
judged = 0
passed_over = []
for manifest in yaml.safe_load_all(sys.stdin):
    if manifest is None:
        continue
    name = f"{manifest['kind']} {manifest['metadata']['name']}"
    if manifest["apiVersion"].startswith(OTHERS):
        passed_over.append(name)
        continue
    judged += 1
    try:
        kubernetes_validate.validate(manifest, VERSION, strict=True)
    except kubernetes_validate.ValidationError as error:
        path = ".".join(str(part) for part in error.path)
        faults.append(f"{name}: {path}: {error.message}")
    except kubernetes_validate.SchemaNotFoundError:
        faults.append(f"{name}: Kubernetes {VERSION} has no {manifest['apiVersion']} of that kind")

print("\n".join(faults))
others = f", without a schema: {', '.join(passed_over)}" if passed_over else ""
print(f"{judged} manifests judged{others}", file=sys.stderr)
sys.exit(1 if faults or judged == 0 else 0)
