"""An authority of time that `openssl ts` runs in a folder of its own, on a free port of this machine.

Usage: authority.py FOLDER: makes FOLDER, with the root certificate `root.pem` in it, and prints the address once it answers.
"""

import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

folder = Path(sys.argv[1])
CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
CONFIGURATION = f"""
[req]
distinguished_name = name
prompt = no
[name]
CN = Authority of Time
[root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[stamps]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
[authority]
dir = {folder}
serial = {folder}/serial
crypto_device = builtin
signer_cert = {folder}/stamps.pem
certs = {folder}/root.pem
signer_key = {folder}/stamps.key
signer_digest = sha256
default_policy = 1.3.6.1.4.1.13762.3
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
"""


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make():
    folder.mkdir()
    (folder / "authority.cnf").write_text(CONFIGURATION)
    openssl("req", "-x509", *CURVE, "-keyout", "root.key", "-out", "root.pem", "-days", "2", "-config", "authority.cnf", "-extensions", "root")
    openssl("req", *CURVE, "-keyout", "stamps.key", "-out", "stamps.csr", "-config", "authority.cnf", "-subj", "/CN=Authority of Time 1")
    signing = ["-CA", "root.pem", "-CAkey", "root.key", "-set_serial", "7", "-days", "2"]
    openssl("x509", "-req", "-in", "stamps.csr", *signing, "-extfile", "authority.cnf", "-extensions", "stamps", "-out", "stamps.pem")


class Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        (folder / "query").write_bytes(self.rfile.read(min(int(self.headers["Content-Length"]), 10_000)))
        openssl("ts", "-reply", "-config", "authority.cnf", "-section", "authority", "-queryfile", "query", "-out", "reply")
        reply = (folder / "reply").read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        """Says nothing: the standard output is for the address."""


make()
server = HTTPServer(("127.0.0.1", 0), Answers)
print(f"http://127.0.0.1:{server.server_port}/tsr", flush=True)
server.serve_forever()
