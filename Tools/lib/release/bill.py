"""Writes down what the programs of a release are made of: a document of SPDX 2.3, and the texts of the licences.

    bill.py --root CLONE --checkouts FOLDER --resolved FILE --version V --commit HASH --epoch SECONDS --swift VERSION
        --program PATH FILE LINKLIST... [--debian NAME=VERSION]... --licences FOLDER --out FILE

What is linked is found in the linker's own lists of objects: a module that is neither ours nor in a library of the list of versions ends
this with a sentence. The same files always make the same document.
"""

import argparse
import hashlib
import json
import pathlib
import re
import shutil
import sys
import time

NONE = "NOASSERTION"


def modules(path):
    """The modules whose objects a linker was given."""
    with open(path, encoding="utf-8") as file:
        return {found[1] for found in (re.search(r"/([^/]+)\.build/", line) for line in file) if found}


def home(module, folders):
    """The package that a module comes from: the one with a target of its name in the manifest, or with a folder of its name."""
    target = re.compile(r'\.target\(\s*(kind:[^,]*,\s*)?name:\s*"' + re.escape(module) + '"')
    found = [folder for folder in folders if target.search((folder / "Package.swift").read_text(encoding="utf-8"))]
    if not found:
        found = [folder for folder in folders if (folder / "Sources" / module).is_dir() or (folder / module).is_dir()]
    if len(found) != 1:
        names = ", ".join(folder.name for folder in found) or "none"
        sys.exit(f"The module {module} is linked, and not in one library of Tools/versions.txt but in {names}: the document would be wrong.")
    return found[0].name


def licence(folder):
    """The licence of a package, where its text is one of the two that everybody knows."""
    for file in licence_files(folder):
        text = " ".join(file.read_text(encoding="utf-8", errors="replace").split())
        if not file.name.lower().startswith("licen"):
            continue
        if "Apache License Version 2.0, January 2004" in text:
            return "Apache-2.0"
        if "Permission is hereby granted, free of charge, to any person obtaining a copy" in text:
            return "MIT"
    return NONE


def licence_files(folder):
    return sorted(file for file in folder.iterdir() if re.match(r"(licen[cs]e|notices?)(\.(txt|md))?$", file.name, re.I))


def identifier(*parts):
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.-]", "-", part) for part in parts)


def package(kind, name, version, *, location=NONE, licensed=NONE, reference=None, comment=None):
    found = {
        "SPDXID": identifier(kind, name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": NONE,
        "licenseDeclared": licensed,
        "copyrightText": NONE,
    }
    if reference:
        found["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
        ]
    if comment:
        found["comment"] = comment
    return found


def digest(path, kind):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("root", "checkouts", "resolved", "version", "commit", "epoch", "swift", "licences", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--program", nargs=3, action="append", required=True)
    parser.add_argument("--debian", action="append", default=[])
    return parser.parse_args()


def linked_libraries(given):
    """The pinned libraries by name, with the programs that each is in."""
    root, checkouts = pathlib.Path(given.root), pathlib.Path(given.checkouts)
    pins = {}
    for pin in json.loads(pathlib.Path(given.resolved).read_text(encoding="utf-8"))["pins"]:
        name = re.sub(r"\.git$", "", pin["location"].rsplit("/", 1)[1])
        if (checkouts / name).is_dir():
            pins[name] = pin
    ours = {folder.name for folder in root.glob("Packages/*/Sources/*")}
    folders, linked = [checkouts / name for name in sorted(pins)], {}
    for path, _, objects in given.program:
        for module in sorted(modules(objects) - ours - {pathlib.Path(path).name.replace("-", "_")}):
            linked.setdefault(home(module, folders), set()).add(path)
    return {name: (pins[name], linked[name]) for name in sorted(linked)}


def main():
    given = arguments()
    checkouts, licences = pathlib.Path(given.checkouts), pathlib.Path(given.licences)
    licences.mkdir(parents=True, exist_ok=True)
    daybook = package("Package", "daybook", given.version, comment=f"Made from the commit {given.commit}.")
    packages, files, relations = [daybook], [], []

    def relate(one, kind, other):
        relations.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    relate("SPDXRef-DOCUMENT", "DESCRIBES", daybook["SPDXID"])
    for path, file, _ in given.program:
        found = {
            "SPDXID": identifier("File", path),
            "fileName": "./" + path,
            "fileTypes": ["BINARY"],
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": digest(file, "sha1")},
                {"algorithm": "SHA256", "checksumValue": digest(file, "sha256")},
            ],
            "licenseConcluded": NONE,
            "licenseInfoInFiles": [NONE],
            "copyrightText": NONE,
        }
        files.append(found)
        relate(daybook["SPDXID"], "CONTAINS", found["SPDXID"])
    # The two programs are what the package is of: the code is that of their sums.
    sums = "".join(sorted(file["checksums"][0]["checksumValue"] for file in files))
    daybook["filesAnalyzed"] = True
    daybook["licenseInfoFromFiles"] = [NONE]
    daybook["packageVerificationCode"] = {"packageVerificationCodeValue": hashlib.sha1(sums.encode()).hexdigest()}
    for name, (pin, paths) in linked_libraries(given).items():
        place, version = pin["location"], pin["state"]["version"]
        spelled = re.sub(r"^https://|\.git$", "", place)
        found = package(
            "Library", name, version, location=f"git+{place}@{version}", licensed=licence(checkouts / name),
            reference=f"pkg:swift/{spelled}@{version}",
        )
        packages.append(found)
        for path in sorted(paths):
            relate(identifier("File", path), "STATIC_LINK", found["SPDXID"])
        for text in licence_files(checkouts / name):
            shutil.copyfile(text, licences / f"{name}.{text.name.removesuffix('.txt').removesuffix('.md')}.txt")
    toolchain = package(
        "Toolchain", "swift", given.swift, location="https://www.swift.org/install", licensed="Apache-2.0 WITH Swift-exception",
        comment="Its standard library and Foundation, with the parts of ICU, are in both programs.",
    )
    packages.append(toolchain)
    for path, _, _ in given.program:
        relate(identifier("File", path), "STATIC_LINK", toolchain["SPDXID"])
    for text in sorted(given.debian):
        name, version = text.split("=", 1)
        found = package("Debian", name, version, reference=f"pkg:deb/debian/{name}@{version}", comment="Linked when a program starts.")
        packages.append(found)
        relate(daybook["SPDXID"], "DYNAMIC_LINK", found["SPDXID"])

    body = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"daybook-{given.version}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(given.epoch))),
            "creators": ["Tool: Daybook-Tools-release"],
        },
        "packages": packages,
        "files": files,
        "relationships": relations,
    }
    # Its name follows from what it says: the same files have one name, and others another.
    name = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    body["documentNamespace"] = f"https://spdx.org/spdxdocs/daybook-{given.version}-{name}"
    pathlib.Path(given.out).write_text(json.dumps(body, indent=2, sort_keys=True) + "\n", encoding="utf-8")


main()
