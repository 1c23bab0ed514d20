"""The list of all parts as CycloneDX 1.5, in JSON."""

import json
import uuid
from datetime import datetime, timezone

TYPES = {"cargo": "library", "npm": "library", "pypi": "library", "model": "machine-learning-model"}


def component(part):
    entry = {
        "type": TYPES[part.kind],
        "bom-ref": part.purl or f"{part.kind}:{part.name}@{part.version}",
        "name": part.name,
        "version": part.version,
    }
    if part.sha256:
        entry["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    if part.licence:
        entry["licenses"] = [{"expression": part.licence}]
    if part.purl:
        entry["purl"] = part.purl
    return entry


def text(version, when, parts):
    components = [component(part) for part in parts]
    product = {
        "type": "application",
        "bom-ref": f"afterglow@{version}",
        "name": "afterglow",
        "version": version,
        "licenses": [{"expression": "AGPL-3.0-or-later"}],
    }
    names = "\n".join(entry["bom-ref"] for entry in [product, *components])
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        # The same parts have the same number.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, names)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(when, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": product,
        },
        "components": components,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
