# Validates a real export with validators that are not ours; sourced behind common.sh.

# export_check: uploads an event of every kind to `daybook serve` on loopback, which was built before in debug, exports them with
# `daybook export`, and has the files validated: FHIR by fhir.resources, OCSF by its published schema, CSV and JSON by Python, proofs
# by its cryptography, and by openssl with the program that stands in the cover. A witness of another process cosigns the server's log.
#
# They come from PyPI into a virtual environment of the build folder; without them the step says that it is skipped.
export_check() {
    local python="$packages_scratch/export-validators" folder server witness="" status=0 url key events process port witness_key log_key
    local daybook
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
    printf '{"witnesses": {"quorum": 1, "list": [{"url": "http://127.0.0.1:%s/w1", "key": "%s"}]}}' "$port" "$witness_key" >"$folder/config.json"
    "$daybook" serve --data "$folder/data" --config "$folder/config.json" >"$folder/ready" 2>"$folder/log" &
    server=$!
    exec 5<"$folder/ready"
    if read -r url <&5 && read -r key <&5; then
        url=${url##* }
        key=${key##* }
        log_key=$("$python/bin/python" -c 'import json, sys, urllib.request as u; print(json.load(u.urlopen(sys.argv[1] + "/api/v1/key"))["logKey"])' "$url")
        "$daybook" witness add-log "$folder/w1.json" "$log_key" >>"$folder/log" 2>&1
        "$daybook" witness serve "$folder/w1.json" --address "127.0.0.1:$port" --prefix /w1 >>"$folder/log" 2>&1 &
        witness=$!
        if events=$("$python/bin/python" "$root/Tools/lib/exports/device.py" "$url" 1) \
            && "$daybook" export --server "$url" --token-file "$folder/data/auditor.token" \
                --format csv --format jsonl --format fhir --format ocsf --reason "a test" --out "$folder/export" \
            && "$daybook" export --server "$url" --token-file "$folder/data/auditor.token" --zip "$folder/export.zip" \
            && "$daybook" verify "$folder/export.zip" --key "$key" --log-key "$log_key" --witness "$witness_key" \
            && "$daybook" verify "$folder/export" --key "$key" --log-key "$log_key" --witness "$witness_key"; then
            say "ok export-made"
            "$python/bin/python" "$root/Tools/lib/exports/check.py" "$folder/export" "$events" "$key" "$log_key" "$witness_key" || status=1
        else
            say "FAILED export-check: the events could not be uploaded, exported or verified"
            status=1
        fi
    else
        cat "$folder/log" >&2
        say "FAILED export-check: the server did not start"
        status=1
    fi
    for process in $server $witness; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    exec 5<&-
    rm -rf "$folder"
    return "$status"
}
