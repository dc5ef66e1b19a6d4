# Validates a real export with validators that are not ours; sourced behind common.sh.

# export_check: uploads an event of every kind to `daybook serve` on loopback, which was built before in debug, exports them with
# `daybook export`, and has the files validated: FHIR by fhir.resources, OCSF by its published schema, CSV and JSON by Python, proofs
# by its cryptography, and by openssl with the program that stands in the cover. A witness of another process cosigns the server's log,
# and an authority of time, which is `openssl ts`, stamps it. A key is revoked then, and another export says so.
#
# They come from PyPI into a virtual environment of the build folder; without them the step says that it is skipped.
export_check() {
    local python="$packages_scratch/export-validators" folder server witness="" authority="" status=0 url key events process port witness_key log_key export_key
    local daybook stamped="" stamps="" line
    local believed=()
    daybook="$(product_folder)/daybook"
    local requirements="$root/Tools/lib/exports/requirements.txt"
    if ! { cmp -s "$requirements" "$python/requirements.txt" || { python3 -m venv "$python" && "$python/bin/pip" install -q --timeout 20 --retries 1 -r "$requirements" && cp "$requirements" "$python/"; }; } \
        >/dev/null 2>&1; then
        say "skipped 1 tests: the validators of exports cannot be installed; they need python3 with venv, and PyPI."
        say "tests 0 0"
        return 0
    fi
    folder=$(mktemp -d)
    mkfifo "$folder/ready"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    witness_key=$("$daybook" witness init "$folder/w1.json" --name witness.example/w1 | grep -o 'witness[.]example/w1+[^ ]*' | head -n 1)
    if command -v openssl >/dev/null; then
        mkfifo "$folder/asked"
        "$python/bin/python" "$root/Tools/lib/exports/authority.py" "$folder/authority" >"$folder/asked" 2>>"$folder/log" &
        authority=$!
        # It says its address when it answers, and nothing when it cannot.
        if read -r line <"$folder/asked"; then
            stamped=stamped
            believed=(--authority "$folder/authority/root.pem")
            stamps=", \"timeStamps\": {\"url\": \"$line\", \"certificates\": \"$folder/authority/root.pem\"}"
        else
            cat "$folder/log" >&2
            say "FAILED export-check: the authority of time did not start"
            status=1
        fi
    fi
    printf '{"witnesses": {"quorum": 1, "list": [{"url": "http://127.0.0.1:%s/w1", "key": "%s"}]}%s}' "$port" "$witness_key" "$stamps" >"$folder/config.json"
    "$daybook" serve --data "$folder/data" --config "$folder/config.json" >"$folder/ready" 2>>"$folder/log" &
    server=$!
    exec 5<"$folder/ready"
    if read -r url <&5 && read -r key <&5; then
        url=${url##* }
        key=${key##* }
        read -r log_key export_key < <(
            "$python/bin/python" -c 'import json, sys, urllib.request as u
keys = json.load(u.urlopen(sys.argv[1] + "/api/v1/key"))
print(keys["logKey"], keys["exportKey"])' "$url"
        )
        "$daybook" witness add-log "$folder/w1.json" "$log_key" >>"$folder/log" 2>&1
        "$daybook" witness serve "$folder/w1.json" --address "127.0.0.1:$port" --prefix /w1 >>"$folder/log" 2>&1 &
        witness=$!
        if events=$("$python/bin/python" "$root/Tools/lib/exports/device.py" "$url" 1 $stamped) \
            && "$daybook" export --server "$url" --token-file "$folder/data/auditor.token" \
                --format csv --format jsonl --format fhir --format ocsf --reason "a test" --out "$folder/export" \
            && "$daybook" export --server "$url" --token-file "$folder/data/auditor.token" --zip "$folder/export.zip" \
            && "$daybook" verify "$folder/export.zip" --key "$export_key" --receipt-key "$key" --log-key "$log_key" --witness "$witness_key" ${believed[@]+"${believed[@]}"} \
            && "$daybook" verify "$folder/export" --key "$export_key" --log-key "$log_key" --witness "$witness_key" ${believed[@]+"${believed[@]}"} \
            && { [ -z "$stamped" ] || export_revoked "$daybook" "$folder" "$url" "$python/bin/python"; }; then
            say "ok export-made"
            "$python/bin/python" "$root/Tools/lib/exports/check.py" "$folder/export" "$events" "$key" "$export_key" "$log_key" "$witness_key" || status=1
        else
            say "FAILED export-check: the events could not be uploaded, exported or verified"
            status=1
        fi
    else
        cat "$folder/log" >&2
        say "FAILED export-check: the server did not start"
        status=1
    fi
    for process in $server $witness $authority; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    exec 5<&-
    rm -rf "$folder"
    return "$status"
}

# export_revoked DAYBOOK FOLDER URL PYTHON: revokes the key that sealed the last partition of FOLDER/export as of its receipt, and exports again;
# the new export has to be refused for it, and for nothing else.
export_revoked() {
    local daybook="$1" folder="$2" url="$3" python="$4" user key since
    read -r user key since < <(
        "$python" -c 'import json, sys
entries = [line["logged"]["entry"] for line in map(json.loads, open(sys.argv[1], encoding="utf-8")) if "logged" in line]
last = max(entries, key=lambda entry: entry["index"])
print(last["user"], last["seal"]["publicKey"], last["received"])' "$folder/export/proofs.jsonl"
    )
    "$daybook" devices revoke --server "$url" --token-file "$folder/data/administrator.token" --app ward-app --user "$user" \
        --since "$since" --reason "a test of revoked keys" "$key" || return 1
    if "$daybook" export --server "$url" --token-file "$folder/data/auditor.token" --format jsonl --out "$folder/revoked" >"$folder/told"; then
        return 1
    fi
    cat "$folder/told"
    grep -q "sealed with a key that was revoked as of $since" "$folder/told" && grep -q ", 1 problems found" "$folder/told"
}
