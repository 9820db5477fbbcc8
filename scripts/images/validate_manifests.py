"""Validates Kubernetes manifests (standard input) with the schemas of Kubernetes and of custom resources.

The schemas of Kubernetes are in the package kubernetes-validate. Arguments are files of custom resource definitions. Custom resources without a
definition are counted and named.

Prints a line for each fault and exits with 1 if there is one. With --plant, adds an unknown field to one manifest after another, and exits with 1 if
the validation misses one of these fields.
"""

import copy
import sys

import jsonschema
import kubernetes_validate
import yaml

VERSION = "1.37"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
CUSTOM = ("monitoring.coreos.com/", "keda.sh/", "gateway.networking.k8s.io/")


def strict_schema(schema):
    """Returns a schema that refuses unknown fields, and accepts both types where Kubernetes allows an integer or a text."""
    if isinstance(schema, list):
        return [strict_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict_schema(part) for key, part in schema.items()}
    if schema.get("x-kubernetes-int-or-string") is True:
        made.pop("type", None)
    if isinstance(schema.get("pattern"), str):
        # Go allows the flag (?i) after the anchor ^, Python only before it.
        made["pattern"] = schema["pattern"].replace("^(?i)", "(?i)^")
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            made.setdefault("additionalProperties", False)
    return made


def schemas_by_kind(files):
    """Returns schemas by API version and kind."""
    found = {}
    for file in files:
        with open(file, encoding="utf-8") as text:
            for definition in yaml.load_all(text, LOADER):
                if not definition or definition["kind"] != "CustomResourceDefinition":
                    continue
                spec = definition["spec"]
                for version in spec["versions"]:
                    schema = strict_schema(version["schema"]["openAPIV3Schema"])
                    schema["properties"]["metadata"] = {"type": "object"}
                    found[f"{spec['group']}/{version['name']}", spec["names"]["kind"]] = schema
    return found


def fault_of(manifest, schemas):
    """Returns the first fault of a manifest, None if there is none, or False if it has no schema."""
    schema = schemas.get((manifest["apiVersion"], manifest["kind"]))
    try:
        if schema is not None:
            jsonschema.validate(manifest, schema)
        elif manifest["apiVersion"].startswith(CUSTOM):
            return False
        else:
            kubernetes_validate.validate(manifest, VERSION, strict=True)
    except (kubernetes_validate.ValidationError, jsonschema.ValidationError) as error:
        return f"{'.'.join(str(part) for part in error.path)}: {error.message}"
    except kubernetes_validate.SchemaNotFoundError:
        return f"Kubernetes {VERSION} has no {manifest['apiVersion']} of that kind"
    return None


def main():
    arguments = sys.argv[1:]
    plant = "--plant" in arguments
    schemas = schemas_by_kind(argument for argument in arguments if argument != "--plant")
    faults = []
    validated = 0
    without = []
    for manifest in yaml.load_all(sys.stdin, LOADER):
        if manifest is None:
            continue
        name = f"{manifest['kind']} {manifest['metadata']['name']}"
        if plant:
            manifest = copy.deepcopy(manifest)
            manifest.get("spec", manifest)["plantedField"] = "1"
        fault = fault_of(manifest, schemas)
        if fault is False:
            without.append(name)
            continue
        validated += 1
        if plant and (fault is None or "plantedField" not in fault):
            faults.append(f"{name}: an unknown field is not found ({fault})")
        elif not plant and fault is not None:
            faults.append(f"{name}: {fault}")
    print("\n".join(faults))
    named = f", without a schema: {', '.join(without)}" if without else ""
    print(f"{validated} manifests validated{named}", file=sys.stderr)
    return 1 if faults or validated == 0 else 0


sys.exit(main())
