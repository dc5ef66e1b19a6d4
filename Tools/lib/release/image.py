"""Makes an image of the Open Container Initiative out of layers, with nothing but Python.

    image.py layer TREE OUT EPOCH LEVEL [--without PATH]...    a layer of a folder, and /data, which user 65532 alone may read
    image.py pressed TAR OUT LEVEL                             a layer of an archive that is there
    image.py layout OUT EPOCH VERSION REVISION ARCHITECTURE LAYER...

Layers have sorted names, belong to root and bear the time EPOCH; the same files always make the same bytes.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
import time

USER = 65532
CONFIG = {
    "User": f"{USER}:{USER}",
    "Entrypoint": ["/usr/bin/daybook"],
    "Cmd": ["serve", "--data", "/data", "--host", "0.0.0.0", "--port", "8080"],
    "Volumes": {"/data": {}},
    "ExposedPorts": {"8080/tcp": {}},
    "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
    "WorkingDir": "/",
    "StopSignal": "SIGTERM",
}


def entry(name, epoch, mode, owner=0):
    found = tarfile.TarInfo(name)
    found.mtime, found.mode, found.uid, found.gid = epoch, mode, owner, owner
    return found


@contextlib.contextmanager
def press(path, level):
    """A file that gzip packs, without the time and the name that it would note."""
    with open(path, "wb") as file, gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=file, mtime=0) as pressed:
        yield pressed


def layer(tree, out, epoch, level, without):
    with press(out, level) as pressed, tarfile.open(fileobj=pressed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        names = ["data"]
        for folder, folders, files in os.walk(tree):
            inner = os.path.relpath(folder, tree)
            folders[:] = [name for name in folders if os.path.normpath(os.path.join(inner, name)) not in without]
            names += [os.path.normpath(os.path.join(inner, name)) for name in folders + files]
        for name in sorted(names):
            if name == "data":
                found = entry(name, epoch, 0o700, USER)
                found.type = tarfile.DIRTYPE
                archive.addfile(found)
                continue
            path = os.path.join(tree, name)
            found = entry(name, epoch, os.lstat(path).st_mode & 0o7777)
            if os.path.islink(path):
                found.type, found.linkname = tarfile.SYMTYPE, os.readlink(path)
                archive.addfile(found)
            elif os.path.isdir(path):
                found.type = tarfile.DIRTYPE
                archive.addfile(found)
            else:
                found.size = os.path.getsize(path)
                with open(path, "rb") as file:
                    archive.addfile(found, file)


def copy(source, target):
    while part := source.read(1 << 20):
        target.write(part)


def pressed(archive, out, level):
    with open(archive, "rb") as source, press(out, level) as target:
        copy(source, target)


def described(path, kind):
    """The descriptor of a blob."""
    with open(path, "rb") as file:
        return {"mediaType": kind, "digest": "sha256:" + hashlib.file_digest(file, "sha256").hexdigest(), "size": os.path.getsize(path)}


def unpressed(path):
    """The digest of a layer before it was packed."""
    digest = hashlib.sha256()
    with gzip.open(path, "rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return "sha256:" + digest.hexdigest()


def layout(out, epoch, version, revision, architecture, layers):
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    labels = {
        "org.opencontainers.image.title": "daybook",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": revision,
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.description": "The server that devices upload their events to, and the auditor's command.",
    }
    prefix = "application/vnd.oci.image."
    blobs = {}

    def kept(value, kind):
        content = json.dumps(value, sort_keys=True).encode()
        found = {"mediaType": kind, "digest": "sha256:" + hashlib.sha256(content).hexdigest(), "size": len(content)}
        blobs[found["digest"]] = content
        return found

    config = kept(
        {
            "created": created,
            "architecture": architecture,
            "os": "linux",
            "config": CONFIG | {"Labels": labels},
            "rootfs": {"type": "layers", "diff_ids": [unpressed(path) for path in layers]},
            "history": [
                {"created": created, "created_by": "mmdebstrap", "comment": "Debian with the libraries that daybook needs"},
                {"created": created, "created_by": "Tools/release", "comment": "daybook " + version},
            ],
        },
        prefix + "config.v1+json",
    )
    found = [described(path, prefix + "layer.v1.tar+gzip") for path in layers]
    manifest = kept(
        {"schemaVersion": 2, "mediaType": prefix + "manifest.v1+json", "config": config, "layers": found, "annotations": labels},
        prefix + "manifest.v1+json",
    )
    named = manifest | {
        "annotations": {"org.opencontainers.image.ref.name": version},
        "platform": {"architecture": architecture, "os": "linux"},
    }
    index = {"schemaVersion": 2, "mediaType": prefix + "index.v1+json", "manifests": [named]}
    contents = {"oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode(), "index.json": json.dumps(index, sort_keys=True).encode()}
    contents |= {"blobs/sha256/" + digest.partition(":")[2]: content for digest, content in blobs.items()}
    paths = {"blobs/sha256/" + each["digest"].partition(":")[2]: path for each, path in zip(found, layers)}
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted({"blobs", "blobs/sha256", *contents, *paths}):
            each = entry(name, epoch, 0o644)
            if name in contents:
                each.size = len(contents[name])
                archive.addfile(each, io.BytesIO(contents[name]))
            elif name in paths:
                each.size = os.path.getsize(paths[name])
                with open(paths[name], "rb") as file:
                    archive.addfile(each, file)
            else:
                each.type, each.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(each)


def main():
    what, given = sys.argv[1], sys.argv[2:]
    if what == "layer":
        layer(given[0], given[1], int(given[2]), int(given[3]), given[5::2])
    elif what == "pressed":
        pressed(given[0], given[1], int(given[2]))
    else:
        layout(given[0], int(given[1]), *given[2:5], given[5:])


main()
