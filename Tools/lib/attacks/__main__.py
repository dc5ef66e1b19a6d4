"""Attacks a server of this machine as somebody would who means harm, and says what it let them do.

Usage: python3 attacks URL FOLDER, the folder being the server's data folder, whose tokens are used.

Prints `ok NAME` or `FAILED NAME: REASON` for each attack. Each refusal has to be JSON with a code of ours and one sentence, kept by no
cache, and counted in the metrics.
"""

import sys

import accounts  # noqa: F401, its attacks run as it is read
import uploads  # noqa: F401
from server import check, check_counts, failures


@check
def each_refusal_is_counted():
    check_counts()


sys.exit(1 if failures else 0)
