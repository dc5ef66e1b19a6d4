"""Serves a store of objects on loopback for a test: moto, which others wrote, with one bucket and a key that may do what a log needs.

Usage: serve.py FOLDER

Goes on in the background, and returns when it listens. FOLDER/store has its address, the name of the key and its secret, a line each, and
it ends when that file is gone, or the process that began it. Requests that are not signed with the key are refused, and so is everything
that the server's documentation does not ask for. Needs the packages of requirements.txt beside it.
"""

import json
import os
import sys
import time

BUCKET, PREFIX = "our-log", "logs/ward"
# How many requests moto takes without a signature: those that make the user, its key and its rights.
SETTING_UP = 3
RIGHTS = [
    {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], "Resource": f"arn:aws:s3:::{BUCKET}/{PREFIX}/*"},
    {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{BUCKET}"},
    # The bucket is made once, by its owner.
    {"Effect": "Allow", "Action": "s3:CreateBucket", "Resource": f"arn:aws:s3:::{BUCKET}"},
]


def begin():
    """Starts the store, and returns what its file says."""
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = str(SETTING_UP)
    import boto3
    from botocore.config import Config
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    url = "http://127.0.0.1:%d" % server.get_host_and_port()[1]

    def client(service, key, secret):
        return boto3.client(
            service, endpoint_url=url, region_name="us-east-1", aws_access_key_id=key, aws_secret_access_key=secret,
            config=Config(s3={"addressing_style": "path"}, connect_timeout=10, read_timeout=10),
        )

    iam = client("iam", "nobody", "nothing")
    iam.create_user(UserName="daybook")
    key = iam.create_access_key(UserName="daybook")["AccessKey"]
    rights = json.dumps({"Version": "2012-10-17", "Statement": RIGHTS})
    iam.put_user_policy(UserName="daybook", PolicyName="log", PolicyDocument=rights)
    client("s3", key["AccessKeyId"], key["SecretAccessKey"]).create_bucket(Bucket=BUCKET)
    return f"{url}\n{key['AccessKeyId']}\n{key['SecretAccessKey']}\n"


def is_alive(process):
    try:
        os.kill(process, 0)
        return True
    except OSError:
        return False


def main():
    path, owner = os.path.join(sys.argv[1], "store"), os.getppid()
    child = os.fork()
    if child:
        while not os.path.exists(path):
            if os.waitpid(child, os.WNOHANG)[0]:
                sys.exit("the store did not start")
            time.sleep(0.05)
        return
    os.setsid()
    text = begin()
    with open(path + ".new", "w") as file:
        os.chmod(path + ".new", 0o600)
        file.write(text)
    os.rename(path + ".new", path)
    while os.path.exists(path) and is_alive(owner):
        time.sleep(0.2)
    os._exit(0)


if __name__ == "__main__":
    main()
