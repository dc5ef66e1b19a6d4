# Builds and runs packages that use this repository as its users do: by URL and version.
# Sourced after common.sh.

# Copies the files of the clone, changed or not, into a repository of its own with the tag 1.0.0, unless it is there: its files
# would be new ones, and all of it be compiled again.
publish_copy() {
    local copy=$1
    [ -e "$copy" ] && return 0
    forget_copy
    mkdir -p "$copy"
    list_files | while IFS= read -r file; do
        mkdir -p "$copy/$(dirname "$file")"
        cp -p "$root/$file" "$copy/$file"
    done
    git -C "$copy" init -q
    git -C "$copy" add -A
    git -C "$copy" -c user.name=Daybook -c user.email=daybook@localhost -c commit.gpgsign=false commit -q -m "Publish"
    git -C "$copy" tag 1.0.0
}

# write_consumer FOLDER NAME URL PRODUCT...: writes the manifest of an executable that depends on products by version.
write_consumer() {
    local folder=$1 name=$2 url=$3 product products=""
    shift 3
    for product in "$@"; do
        products="$products                .product(name: \"$product\", package: \"daybook\"),
"
    done
    mkdir -p "$folder/Sources/$name"
    cat >"$folder/Package.swift" <<MANIFEST
// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "$name",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "$url", from: "1.0.0")],
    targets: [
        .executableTarget(
            name: "$name",
            dependencies: [
$products            ]
        )
    ]
)
MANIFEST
}

# check_consumer FOLDER NAME EXPECTED: builds a consumer, looks at what it resolved, runs it and looks for a line.
check_consumer() {
    local folder=$1 name=$2 expected=$3 output runs
    build_consumer "$folder" || return 1
    say "ok $name builds"
    if grep -iE '"identity" : "(swift-nio|hummingbird|jwt-kit|swift-argument-parser)' "$folder/Package.resolved"; then
        say "FAILED $name resolves what only the server needs"
    else
        say "ok $name resolves nothing of the server"
    fi
    # Foundation asks the system, not HOME, where files of programs go.
    output=$(cd "$folder" && HOME="$folder" XDG_DATA_HOME="$folder/data" "$root/.build/debug/$name") || return 1
    printf '%s\n' "$output"
    case "$output" in *"$expected"*) runs=yes ;; *) runs=no ;; esac
    if [ "$runs" = yes ]; then
        say "ok $name runs"
    else
        say "FAILED $name runs: it did not print '$expected'"
    fi
}

# refuse_unawaited_commit FOLDER NAME: at the top level of main.swift Swift takes the commit() that does not wait, also
# behind `await`; such a program must not compile, and the error must name what waits.
refuse_unawaited_commit() {
    local folder=$1 name=$2 output
    sed -i.kept 's/scope\.persist()/scope.commit()/' "$folder/Sources/$name/main.swift" || return 1
    if output=$(build_consumer "$folder" 2>&1); then
        say "FAILED $name compiles with a commit() that is not awaited"
        return 1
    fi
    if ! printf '%s\n' "$output" | grep -qF "write 'try await scope.persist()'"; then
        printf '%s\n' "$output"
        say "FAILED $name: the error does not say what to write"
        return 1
    fi
    say "ok $name does not compile with a commit() that is not awaited"
}

# build_consumer FOLDER: in the scratch folder of the facade, so that swift-crypto is built once for all.
build_consumer() {
    swift build --package-path "$1" --scratch-path "$root/.build" --disable-build-manifest-caching \
        --disable-dependency-cache --security-path "$1/security" --disable-index-store ${lean[@]+"${lean[@]}"}
}

# Makes SwiftPM forget the copy in the facade's scratch folder, also one that an interrupted run left: the next copy has
# the same version, another place and other contents. What it knows of the libraries is kept, so they are not built anew.
forget_copy() {
    local state="$root/.build/workspace-state.json" kept="$root/.build/workspace-state.facade.json"
    rm -rf "$root/.build/checkouts/daybook" "$root"/.build/repositories/daybook-*
    [ -e "$state" ] || return 0
    if ! grep -q '"identity" : "daybook"' "$state"; then
        cp "$state" "$kept"
    elif [ -e "$kept" ]; then
        cp "$kept" "$state"
    else
        rm -f "$state"
    fi
}

# Prints the example of the README, which stands between two markers.
readme_example() {
    sed -n '/<!-- example -->/,/<!-- end of example -->/p' "$root/README.md" | sed -e '/^<!--/d' -e '/^```/d'
}

# Prints the products of the facade.
facade_products() { sed -n 's/^ *\.library(name: "\([^"]*\)".*/\1/p' "$root/Package.swift"; }

# build_facade PLACE: builds all of its products as a user's package does, by URL and version.
build_facade() {
    local place=$1 product
    publish_copy "$place/daybook" || return 1
    write_consumer "$place/facade" FacadeConsumer "file://$place/daybook" $(facade_products)
    for product in $(facade_products); do say "import $product"; done >"$place/facade/Sources/FacadeConsumer/main.swift"
    build_consumer "$place/facade" || return 1
    say "ok facade-build"
}

# consumer_smoke PLACE: builds and runs what depends on the copy of the clone in PLACE/daybook, which is made if it is not there.
consumer_smoke() {
    local place=$1 status=0
    publish_copy "$place/daybook" || return 1

    write_consumer "$place/umbrella" UmbrellaConsumer "file://$place/daybook" Daybook
    readme_example >"$place/umbrella/Sources/UmbrellaConsumer/main.swift"
    write_consumer "$place/module" ModuleConsumer "file://$place/daybook" EventModel EventSerialization
    cp "$root/Tools/consumer/ModuleConsumer.swift" "$place/module/Sources/ModuleConsumer/ModuleConsumer.swift"

    # Directly behind the line that says that it waited: the read, the change and the pressed button are on the disk.
    cat >>"$place/umbrella/Sources/UmbrellaConsumer/main.swift" <<'CHECK'
print("It waited for \(events.statistics.eventsPersisted) events.")
CHECK
    check_consumer "$place/umbrella" UmbrellaConsumer "The scope is durable.
It waited for 3 events." || status=1
    refuse_unawaited_commit "$place/umbrella" UmbrellaConsumer || status=1
    check_consumer "$place/module" ModuleConsumer '"name":"Anna"' || status=1
    follow_tutorial "$place" || status=1
    return "$status"
}
