# Follows the tutorial, FirstApp.md, as its readers do. Sourced after consumer-smoke.sh.

tutorial="$root/Packages/Daybook/Sources/Daybook/Documentation.docc/FirstApp.md"

# tutorial_block NUMBER: prints one of the tutorial's blocks of Swift, the first is 1.
tutorial_block() {
    awk -v wanted="$1" '
        /^```swift$/ { inside = ++number == wanted; next }
        /^```$/ { inside = 0 }
        inside' "$tutorial"
}

# ward FOLDER ARGUMENT...: runs the reader's program, whose files then lie in FOLDER/data/Ward.
ward() {
    local folder=$1
    shift
    HOME="$folder" XDG_DATA_HOME="$folder/data" "$root/.build/debug/Ward" "$@"
}

# expect STEP TEXT COMMAND...: says whether what a command prints has a text.
expect() {
    local step=$1 text=$2 output
    shift 2
    output=$("$@" 2>&1) || { printf '%s\n' "$output"; say "FAILED tutorial-$step: it ended with an error"; return 1; }
    case "$output" in
        *"$text"*) say "ok tutorial-$step" ;;
        *) printf '%s\n' "$output"; say "FAILED tutorial-$step: it did not print '$text'"; return 1 ;;
    esac
}

# The command of the tutorial's readers: the one that was built before, as other steps may be running it, or a new one.
tutorial_command() {
    local configuration
    for configuration in debug release; do
        if [ -x "$(product_folder "$configuration")/daybook" ]; then printf '%s/daybook\n' "$(product_folder "$configuration")"; return 0; fi
    done
    build_product Packages/AuditServer daybook >&2 || return 1
    printf '%s/daybook\n' "$(product_folder)"
}

# follow_tutorial PLACE: does what the article says, step by step, with the copy of the repository in PLACE/daybook.
follow_tutorial() {
    local place=$1 folder="$1/Ward" daybook server url status=0
    local sources="$folder/Sources/Ward" options
    daybook=$(tutorial_command) || { say "FAILED tutorial: the command daybook cannot be built"; return 1; }
    mkdir -p "$sources"
    tutorial_block 1 | sed "s|https://github.com/OWNER/daybook.git|file://$place/daybook|" >"$folder/Package.swift"
    tutorial_block 2 >"$sources/Visit.swift"

    tutorial_block 3 >"$sources/main.swift"
    build_consumer "$folder" || { say "FAILED tutorial-model: it does not compile"; return 1; }
    expect model "Kim: check, 1 times" ward "$folder" add Kim || return 1
    expect again "Kim: check, 2 times" ward "$folder" add Kim || return 1

    { tutorial_block 3 | sed '/^let realm/,$d'; tutorial_block 4; } >"$sources/main.swift"
    build_consumer "$folder" || { say "FAILED tutorial-recording: it does not compile"; return 1; }
    expect recording "Kim: check, 3 times" ward "$folder" add Kim || return 1
    expect events "add visit" "$daybook" events --files "$folder/data/Ward" || status=1
    expect verify "3 events, 1 partitions verified" "$daybook" verify --files "$folder/data/Ward" || status=1
    expect realm "Kim" "$daybook" realm "$folder/data/Ward/default.realm" Visit || status=1

    mkfifo "$folder/ready"
    "$daybook" serve --data "$folder/ward-data" --port 0 >"$folder/ready" 2>"$folder/log" &
    server=$!
    exec 6<"$folder/ready"
    if ! read -r url <&6; then
        cat "$folder/log"
        say "FAILED tutorial-server: it did not start"
        return 1
    fi
    url=${url##* }
    options=(--server "$url" --token-file "$folder/ward-data/auditor.token")
    tutorial_block 5 | sed -e "s|http://127.0.0.1:8080|$url|" -e "s|/tmp/ward-|$folder/ward-|" >"$sources/main.swift"
    if build_consumer "$folder"; then
        sync_two_devices "$folder" "$daybook" "${options[@]}" || status=1
    else
        say "FAILED tutorial-sync: it does not compile"
        status=1
    fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    exec 6<&-
    return "$status"
}

# sync_two_devices FOLDER COMMAND OPTION...: the last step, on two devices: the second one has what the first one wrote, and the
# server what both of them did.
sync_two_devices() {
    local folder=$1 daybook=$2 status=0
    shift 2
    expect first-device "Kim: check, 1 times" ward_until_uploaded "$folder" "add visit" "$daybook" "$@" -- add Kim one || status=1
    expect second-device "Kim: check, 1 times" ward_until_uploaded "$folder" "show visit" "$daybook" "$@" -- show Kim two || status=1
    expect server-verify "partitions verified" "$daybook" verify "$@" || status=1
    return "$status"
}

# ward_until_uploaded FOLDER TEXT COMMAND OPTION... -- ARGUMENT...: runs the program, and presses its return key once the server has
# an event with a text, or after a minute.
ward_until_uploaded() {
    local folder=$1 text=$2 daybook=$3 options=() program
    shift 3
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    rm -f "$folder/keys"
    mkfifo "$folder/keys"
    ward "$folder" "$@" <"$folder/keys" &
    program=$!
    exec 7>"$folder/keys"
    timeout 60 bash -c 'text=$1; shift; until "$@" | grep -qF -- "$text"; do :; done' - "$text" "$daybook" events "${options[@]}" || true
    printf '\n' >&7
    exec 7>&-
    wait "$program"
}
