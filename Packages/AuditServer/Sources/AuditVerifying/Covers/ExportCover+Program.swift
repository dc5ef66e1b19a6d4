extension ExportCover {
    /// What checks an export with Python's own library and OpenSSL's command alone.
    ///
    /// - Parameter version: The version of the manifest; the program of version 2 knows nothing of time-stamps and revoked keys, and those
    ///   up to version 3 know one key of the server, and no devices that sign with P-256.
    /// - Returns: The text of a program in Python.
    static func program(of version: Int) -> String {
        switch version {
        case 2: start + edwards + signature + proofs(signed: "signed")
        case 3: start + edwards + signature + proofs(signed: "signed") + time + keys
        default: start + curves + signature + receiptKey + proofs(signed: "signed_by_device") + time + keys
        }
    }

    private static let start = #"""
        import base64, hashlib, json, pathlib, subprocess, sys, tempfile
        from datetime import datetime, timedelta

        folder, key = pathlib.Path(sys.argv[1]), bytes.fromhex("".join(sys.argv[2:]))

        def check(holds, what):
            if not holds:
                sys.exit("NOT PROVEN: " + what)

        def read(name):
            return (folder / name).read_bytes()

        def sha(data):
            return hashlib.sha256(data).digest()

        def number(value, size=8):
            return value.to_bytes(size, "little", signed=value < 0)

        def counted(data):
            return number(len(data), 4) + data

        def text(value):
            return counted(value.encode())

        def optional(holder, name, encode):
            return b"\x01" + encode(holder[name]) if name in holder else b"\x00"

        def micros(instant):
            moment = datetime.fromisoformat(instant.replace("Z", "+00:00"))
            return number((moment - datetime.fromisoformat("1970-01-01T00:00:00+00:00")) // timedelta(microseconds=1))


        """#

    /// Checks the signatures of servers and devices, which are of Ed25519 alone.
    private static let edwards = #"""
        def signed(message, signature, key, what):
            with tempfile.TemporaryDirectory() as name:
                place = pathlib.Path(name)
                (place / "key").write_bytes(bytes.fromhex("302a300506032b6570032100") + key)
                (place / "message").write_bytes(message)
                (place / "signature").write_bytes(signature)
                command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", place / "key"]
                command += ["-rawin", "-in", place / "message", "-sigfile", place / "signature"]
                check(subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0, what)


        """#

    /// Checks the signatures of servers, which are of Ed25519 alone, and of devices.
    ///
    /// Devices with a key of 33 bytes sign with P-256: OpenSSL wants their two numbers in DER, and takes both values of the second.
    private static let curves = #"""
        def verify(start, key, message, signature, what, *options):
            with tempfile.TemporaryDirectory() as name:
                place = pathlib.Path(name)
                (place / "key").write_bytes(bytes.fromhex(start) + key)
                (place / "message").write_bytes(message)
                (place / "signature").write_bytes(signature)
                command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", place / "key"]
                command += ["-rawin", *options, "-in", place / "message", "-sigfile", place / "signature"]
                check(subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0, what)

        def signed(message, signature, key, what):
            check(len(key) == 32, what)
            verify("302a300506032b6570032100", key, message, signature, what)

        def signed_by_device(message, signature, key, what):
            if len(key) != 33:
                return signed(message, signature, key, what)
            half = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8
            pair = [int.from_bytes(part, "big") for part in (signature[:32], signature[32:])]
            check(len(signature) == 64 and pair[1] <= half, what)
            parts = [value.to_bytes(value.bit_length() // 8 + 1, "big") for value in pair]
            data = b"".join(b"\x02" + bytes([len(part)]) + part for part in parts)
            start = "3039301306072a8648ce3d020106082a8648ce3d030107032200"
            verify(start, key, message, b"\x30" + bytes([len(data)]) + data, what, "-digest", "sha256")


        """#

    /// What it does first: who signed the manifest.
    private static let signature = #"""
        def climb(leaf, index, size, path):
            check(index < size, "a place in a tree")
            last = size - 1
            for sibling in map(bytes.fromhex, path):
                check(last > 0, "a way in a tree")
                if index & 1 or index == last:
                    leaf = sha(b"\x01" + sibling + leaf)
                    while index and not index & 1:
                        index, last = index >> 1, last >> 1
                else:
                    leaf = sha(b"\x01" + leaf + sibling)
                index, last = index >> 1, last >> 1
            check(last == 0, "a way in a tree")
            return leaf

        def seal_statement(seal):
            owned = "app" in seal
            data = b"DAYSEAL2" + text(seal["app"]) + text(seal["user"]) if owned else b"DAYSEAL1"
            data += text(seal["partition"]) + (optional(seal, "number", number) if owned else b"")
            data += number(seal["count"]) + bytes.fromhex(seal["root"])
            data += optional(seal, "first", number) + optional(seal, "last", number)
            data += optional(seal, "previousRoot", bytes.fromhex)
            if owned:
                data += number(seal.get("ledgerPart", 0), 4) + bytes([seal.get("isLedgerContinued", False)])
            data += number(len(seal["losses"]), 4)
            for loss in seal["losses"]:
                data += text(loss["reason"]) + number(loss["count"]) + number(loss["noticed"])
                data += optional(loss, "first", number) + optional(loss, "last", number)
                data += optional(loss, "partition", text)
                data += optional(loss, "sequences", lambda ends: number(ends[0]) + number(ends[1]))
                data += optional(loss, "root", bytes.fromhex)
            return data + counted(bytes.fromhex(seal["publicKey"]))

        manifest = json.loads(read("manifest.json"))
        names = [file["name"] for file in manifest["files"]]
        if key or manifest["isSigned"]:
            check(len(key) == 32, "the server's key has to be given, in 64 hexadecimal digits")
            made = bytes.fromhex(json.loads(read("signature.json"))["signature"])
            signed(b"DAYEXPT1" + counted(read("manifest.json")) + counted(key), made, key, "the server's signature")
            print("the server with this key signed the manifest")
        else:
            print("NO SERVER signed this export; the seals of devices are all that proves it")

        """#

    /// What it does then where exports have a key of their own: receipts are signed with another one, which the manifest names.
    private static let receiptKey = #"""
        if key:
            signer, key = key, bytes.fromhex(manifest["receiptKey"])
            check(len(key) == 32 and key != signer, "the server's key of receipts")
            print("receipts are signed with the key", key.hex())

        """#

    /// What it does with all that is proven by itself.
    private static func proofs(signed: String) -> String {
        #"""
        for file in manifest["files"]:
            check("/" not in file["name"] and sha(read(file["name"])).hex() == file["sha256"], file["name"])
        print("unchanged:", ", ".join(names))

        size, root = None, None
        if "checkpoint" in names:
            note, lines = read("checkpoint").decode().split("\n\n")
            origin, size, root = (note + "\n").split("\n")[:3]
            size, root = int(size), base64.b64decode(root)
            name, identity, log_key = manifest["logKey"].split("+", 2)
            made = [base64.b64decode(line.split(" ")[2]) for line in lines.splitlines() if line.split(" ")[1] == name]
            made = [data[4:] for data in made if data[:4].hex() == identity]
            check(origin == name and len(made) == 1, "the name of the log")
            signed((note + "\n").encode(), made[0], base64.b64decode(log_key)[1:], "the signature of the log")
            print("the log is signed with the key", manifest["logKey"])

        partition, events, seals, logged = None, 0, 0, 0
        for line in map(json.loads, read("proofs.jsonl").splitlines()):
            if "sequence" in line:
                leaf = bytes.fromhex(line["leafHash"])
                if "event" in line:
                    check(sha(b"\x00" + bytes.fromhex(line["event"])) == leaf, "the bytes of an event")
                check(line["partition"] == partition["partition"], "the partition of an event")
                top = climb(leaf, line["sequence"] - 1, partition["count"], line["path"])
                check(top.hex() == partition["root"], "the place of an event")
                events += 1
                continue
            partition = line
            if key:
                receipt = line["receipt"]
                check((receipt["root"], receipt["durableThrough"]) == (line["root"], line["count"]), "a receipt")
                data = b"DAYRCPT1" + text(receipt["app"]) + text(receipt["user"]) + text(receipt["partition"])
                data += number(receipt["durableThrough"]) + bytes.fromhex(receipt["root"])
                data += bytes([receipt["isSealed"]]) + micros(receipt["issued"]) + counted(key)
                signed(data, bytes.fromhex(receipt["signature"]), key, "a receipt of the server")
            if "seal" in line:
                seal = line["seal"]
                check((seal["root"], seal["count"]) == (line["root"], line["count"]), "what a seal is of")
                check(seal["partition"] == line["partition"], "what a seal is of")
                sealed, made = seal_statement(seal), bytes.fromhex(seal["signature"])
                \#(signed)(sealed, made, bytes.fromhex(seal["publicKey"]), "the seal of a device")
                seals += 1
            if "logged" in line:
                entry, proof = line["logged"]["entry"], line["logged"]["proof"]
                check(entry["seal"] == line["seal"] and proof["count"] == size, "an entry of the log")
                data = b"\x00DAYLOGE1" + text(entry["app"]) + text(entry["user"]) + micros(entry["received"])
                leaf = sha(data + counted(sealed) + counted(made))
                check(climb(leaf, proof["index"], size, proof["path"]) == root, "an entry of the log")
                logged += 1
        print(events, "events are in their partitions")
        print(seals, "partitions are sealed by devices,", logged, "are in the log")

        """#
    }

    /// What it does behind that with a time-stamp: all but to ask whose it is, which takes a certificate that somebody believes.
    private static let time = #"""
        if "time-stamp.checkpoint" in names:
            check(size is not None, "a time-stamp without a checkpoint")
            note, lines = read("time-stamp.checkpoint").decode().split("\n\n")
            origin, stamped, stamped_root = (note + "\n").split("\n")[:3]
            stamped, stamped_root = int(stamped), base64.b64decode(stamped_root)
            made = [base64.b64decode(line.split(" ")[2]) for line in lines.splitlines() if line.split(" ")[1] == name]
            made = [data[4:] for data in made if data[:4].hex() == identity]
            check(origin == name and len(made) == 1, "the name of the log that was time-stamped")
            signed((note + "\n").encode(), made[0], base64.b64decode(log_key)[1:], "the log that was time-stamped")
            if stamped == size:
                check(stamped_root == root, "the log that was time-stamped")
            else:
                (first, older), (second, newer) = sorted([(stamped, stamped_root), (size, root)])
                proof = manifest["consistency"]
                check(0 < first == proof["first"] and second == proof["second"], "what leads to the time-stamp")
                path = [bytes.fromhex(digest) for digest in proof["path"]]
                path = path if first & (first - 1) else [older] + path
                check(len(path) > 0, "what leads to the time-stamp")
                index, last, left, right = first - 1, second - 1, path[0], path[0]
                while index & 1:
                    index, last = index >> 1, last >> 1
                for sibling in path[1:]:
                    check(last > 0, "what leads to the time-stamp")
                    if index & 1 or index == last:
                        left, right = sha(b"\x01" + sibling + left), sha(b"\x01" + sibling + right)
                        while index and not index & 1:
                            index, last = index >> 1, last >> 1
                    else:
                        right = sha(b"\x01" + right + sibling)
                    index, last = index >> 1, last >> 1
                check(last == 0 and left == older and right == newer, "what leads to the time-stamp")
            rows = map(json.loads, read("proofs.jsonl").splitlines())
            places = [row["logged"]["proof"]["index"] for row in rows if "logged" in row]
            print(sum(place < stamped for place in places), "of these were in the log when it was time-stamped; when:")
            print("openssl ts -verify -in time-stamp.tsr -data time-stamp.checkpoint -CAfile ROOTS.pem")

        """#

    /// What it does at the end with the keys that the manifest says are not believed.
    private static let keys = #"""
        since = {(key["app"], key["user"], key["publicKey"]): key["since"] for key in manifest.get("revokedKeys", [])}
        late = 0

        def moment(text):
            return datetime.fromisoformat(text.replace("Z", "+00:00"))

        for row in map(json.loads, read("proofs.jsonl").splitlines()):
            if "logged" in row:
                entry = row["logged"]["entry"]
                start = since.get((entry["app"], entry["user"], entry["seal"]["publicKey"]))
                if start and moment(entry["received"]) >= moment(start):
                    print(row["partition"], "was received at", entry["received"], "by a key that was revoked as of", start)
                    late += 1
        check(late == 0, "partitions that were sealed with a key when it was revoked: %d" % late)

        """#
}
