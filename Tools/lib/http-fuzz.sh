# Fuzzes the routes of a server; sourced behind common.sh.

# http_fuzz SECONDS SEED CONFIGURATION: feeds `daybook serve`, built before, on loopback with requests made from openapi.json, as
# each role, for some seconds, or with a fixed number of them when SECONDS is 0. The attacks in attacks/ come first.
#
# schemathesis comes from PyPI into a virtual environment of the build folder; without it that part says that it is skipped.
http_fuzz() {
    local seconds=$1 seed=$2 configuration=$3 python="$packages_scratch/schemathesis" folder server status=0 role url
    local roles=(user auditor administrator)
    local description="$root/Packages/AuditServer/Docs/openapi.json"
    local bound=(--max-time $((seconds / 3 + 1)))
    if [ "$seconds" = 0 ]; then bound=(--max-examples 3); fi
    folder=$(mktemp -d)
    say '{ limits: { requestsPerMinute: 1000000, signInsPerMinute: 1000000 }, quotas: { userPartitionsPerDay: 200 } }' >"$folder/serve.json5"
    printf '%s\n' 'import schemathesis' \
        'for name in ("stretch", "sync"):' \
        '    schemathesis.serializer.alias(f"application/vnd.daybook.{name}", "application/octet-stream")' >"$folder/hooks.py"
    mkfifo "$folder/ready"
    "$(product_folder "$configuration")/daybook" serve --config "$folder/serve.json5" --data "$folder/data" >"$folder/ready" 2>"$folder/log" &
    server=$!
    exec 5<"$folder/ready"
    if ! read -r url <&5; then
        cat "$folder/log" >&2
        rm -rf "$folder"
        say "FAILED http-fuzz: the server did not start"
        return 1
    fi
    url=${url##* }
    python3 "$root/Tools/lib/attacks" "$url" "$folder/data" || status=1
    if ! { [ -x "$python/bin/schemathesis" ] || { python3 -m venv "$python" && "$python/bin/pip" install -q --timeout 20 --retries 1 "schemathesis==4.32.5"; }; } \
        >/dev/null 2>&1; then
        say "skipped 1 tests: schemathesis cannot be installed; it needs python3 with venv, and PyPI."
        say "tests 0 0"
        roles=()
    fi
    curl -sf -H 'content-type: application/json' -d '{"provider":"anon-user"}' "$url/api/v1/apps/ward-app/login" \
        | sed 's/.*"accessToken":"\([^"]*\)".*/\1/' >"$folder/data/user.token"
    for role in ${roles[@]+"${roles[@]}"}; do
        say "As $role:"
        # Without the two requests after which the user's token is worth nothing.
        # It keeps a cache where it runs.
        if (cd "$folder" && SCHEMATHESIS_HOOKS=hooks PYTHONPATH="$folder" "$python/bin/schemathesis" run "$description" --url "$url" \
            -H "Authorization: Bearer $(cat "$folder/data/$role.token")" --phases coverage,fuzzing \
            --exclude-path-regex '^/api/v1/users/me' \
            "${bound[@]}" --seed "$seed" --no-color --warnings off \
            --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance) | tee "$folder/said" \
            && ! grep -q "No test cases were generated" "$folder/said" && tested_everything "$folder/said"; then
            say "ok http-fuzz-$role"
        else
            say "FAILED http-fuzz-$role"
            status=1
        fi
    done
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    exec 5<&-
    rm -rf "$folder"
    return "$status"
}

# tested_everything FILE: whether schemathesis says that it tested every operation of the description but the two about the token's
# own user.
tested_everything() {
    awk '
        /^  Selected: / { split($2, counts, "/") }
        /^  Tested: / { tested = $2 }
        END { exit !(tested > 0 && tested == counts[1] && counts[2] - counts[1] == 2) }
    ' "$1"
}
