"""Unpacks an image as somebody does who knows the specification of the Open Container Initiative, and not image.py.

    unpack.py IMAGE FOLDER    checks every digest, unpacks the layers into FOLDER, and prints the user, then each word of the command

It ends with a sentence for whatever does not hold.
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile


def blob(archive, descriptor):
    """The bytes that a descriptor names, which have to be those."""
    algorithm, _, digest = descriptor["digest"].partition(":")
    member = archive.extractfile(f"blobs/{algorithm}/{digest}")
    content = member.read()
    if algorithm != "sha256" or hashlib.sha256(content).hexdigest() != digest or len(content) != descriptor["size"]:
        sys.exit(f"The blob {descriptor['digest']} is not what its name says.")
    return content


def main():
    with tarfile.open(sys.argv[1]) as archive:
        if json.load(archive.extractfile("oci-layout")) != {"imageLayoutVersion": "1.0.0"}:
            sys.exit("The file oci-layout has another version.")
        index = json.load(archive.extractfile("index.json"))
        manifest = json.loads(blob(archive, index["manifests"][0]))
        config = json.loads(blob(archive, manifest["config"]))
        named = {"sha256:" + name.rpartition("/")[2] for name in archive.getnames() if name.startswith("blobs/sha256/")}
        used = {each["digest"] for each in [index["manifests"][0], manifest["config"], *manifest["layers"]]}
        if named != used:
            sys.exit("The image has blobs that nothing names.")
        for layer, plain in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
            content = gzip.decompress(blob(archive, layer))
            if "sha256:" + hashlib.sha256(content).hexdigest() != plain:
                sys.exit(f"The layer {layer['digest']} has other content than the configuration says.")
            with tarfile.open(fileobj=io.BytesIO(content)) as inner:
                if [each.name for each in inner if each.isdev()]:
                    sys.exit(f"The layer {layer['digest']} has a device, which nobody without rights can unpack.")
                inner.extractall(sys.argv[2], numeric_owner=True, filter="fully_trusted")
    print(config["config"]["User"])
    for word in config["config"]["Entrypoint"] + config["config"]["Cmd"]:
        print(word)


main()
