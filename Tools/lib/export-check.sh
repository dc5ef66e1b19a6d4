# Validates a real export with validators that are not ours; sourced behind common.sh.

# export_check: uploads an event of every kind to `daybook serve` on loopback, which was built before in debug, exports them with
# `daybook export`, and has the files validated: FHIR by fhir.resources, OCSF by its published schema, CSV and JSON by Python, proofs
# by its cryptography.
#
# They come from PyPI into a virtual environment of the build folder; without them the step says that it is skipped.
export_check() {
    local python="$packages_scratch/export-validators" folder server status=0 url key events
    local requirements="$root/Tools/lib/exports/requirements.txt"
    if ! { cmp -s "$requirements" "$python/requirements.txt" || { python3 -m venv "$python" && "$python/bin/pip" install -q --timeout 20 --retries 1 -r "$requirements" && cp "$requirements" "$python/"; }; } \
        >/dev/null 2>&1; then
        say "skipped 1 tests: the validators of exports cannot be installed; they need python3 with venv, and PyPI."
        say "tests 0 0"
        return 0
    fi
    folder=$(mktemp -d)
    mkfifo "$folder/ready"
    "$(product_folder)/daybook" serve --data "$folder/data" >"$folder/ready" 2>"$folder/log" &
    server=$!
    exec 5<"$folder/ready"
    if read -r url <&5 && read -r key <&5; then
        url=${url##* }
        key=${key##* }
        if events=$("$python/bin/python" "$root/Tools/lib/exports/device.py" "$url") \
            && "$(product_folder)/daybook" export --server "$url" --token-file "$folder/data/auditor.token" \
                --format csv --format jsonl --format fhir --format ocsf --reason "a test" --out "$folder/export" \
            && "$(product_folder)/daybook" verify "$folder/export" --key "$key"; then
            say "ok export-made"
            "$python/bin/python" "$root/Tools/lib/exports/check.py" "$folder/export" "$events" "$key" || status=1
        else
            say "FAILED export-check: the events could not be uploaded, exported or verified"
            status=1
        fi
    else
        cat "$folder/log" >&2
        say "FAILED export-check: the server did not start"
        status=1
    fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    exec 5<&-
    rm -rf "$folder"
    return "$status"
}
