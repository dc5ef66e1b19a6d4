# Shared by the scripts in Tools: messages, what the system must have, and the one way to call SwiftPM.
# Sourced with `root` set to the folder of the clone; works with the bash 3.2 of macOS.

# Every nested package is built here in debug, by the tests, the demo and the docs: nothing is built twice.
packages_scratch="$root/.build-packages"
# And what is run as it is shipped is built here, by the benchmarks, the simulators and the attacks.
release_scratch="$root/.build-release"
# What stands in for Apple's frameworks is built here: beside a module that is called Combine, `canImport(Combine)` holds for all.
frameworks_scratch="$root/.build-frameworks"

# In continuous integration nobody opens a debugger, and builds without its tables take a fifteenth less; a crash is told by functions.
# The index of the sources, which is an editor's, is needed as well: SwiftPM finds the tests in it.
lean=()
if [ -n "${CI:-}" ]; then lean=(-debug-info-format none); fi

# shellcheck source=Tools/lib/reexports.sh
source "$root/Tools/lib/reexports.sh"
# shellcheck source=Tools/lib/pins.sh
source "$root/Tools/lib/pins.sh"

say() { printf '%s\n' "$*"; }

warn() { printf '%s\n' "$*" >&2; }

# fail MESSAGE [CODE]: says why the script cannot go on and ends it.
fail() {
    printf '%s\n' "$1" >&2
    exit "${2:-1}"
}

# Makes sure that the system has what a build needs; the only place that installs anything.
require_packages() {
    command -v git >/dev/null 2>&1 || require_debian_package git
    require_swift
    case "$(uname -s)" in
        Linux)
            require_header sqlite3.h libsqlite3-dev
            require_header zlib.h zlib1g-dev
            # What AuditServer links to; an app that depends on the facade does not.
            require_header postgresql/libpq-fe.h libpq-dev
            ;;
        Darwin) ;;
        *) fail "Daybook builds on Linux and macOS; this system is $(uname -s)." 69 ;;
    esac
}

require_swift() {
    if ! command -v swift >/dev/null 2>&1; then
        case "$(uname -s)" in
            Darwin) fail "Swift 6.3 is missing: install Xcode 26.4 or a toolchain from https://www.swift.org/install." 69 ;;
            *) fail "Swift 6.3 is missing: install the toolchain from https://www.swift.org/install and put it in PATH." 69 ;;
        esac
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    case "$version" in
        6.[3-9] | 6.[1-9][0-9] | [7-9].* | [1-9][0-9].*) ;;
        *) fail "Swift 6.3 or later is needed; this is Swift ${version:-of an unknown version}." 69 ;;
    esac
}

# require_header NAME PACKAGE: installs a Debian package unless the header that is needed of it is there.
require_header() {
    if [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; then return 0; fi
    require_debian_package "$2"
}

# What the tests of AuditServer start servers of; without it they say that they were skipped.
want_postgresql_server() {
    [ "$(uname -s)" = Linux ] || return 0
    if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then return 0; fi
    # In a shell of its own, because it ends the one that it fails in.
    (require_debian_package postgresql) || warn "The tests that need a server of PostgreSQL will be skipped."
}

# What the tests of the console look at its pages with; without it they say that they were skipped.
want_browser() {
    [ "$(uname -s)" = Linux ] || return 0
    local name
    for name in chromium chromium-driver; do
        if [ -x "/usr/bin/${name/chromium-driver/chromedriver}" ]; then continue; fi
        (require_debian_package "$name") || warn "The tests that need a browser will be skipped."
    done
}

# What the types of the console's scripts are checked with; without it Tools/lint says that it left them out.
want_typescript() {
    if command -v tsc >/dev/null 2>&1; then return 0; fi
    [ "$(uname -s)" = Linux ] || return 0
    (require_debian_package node-typescript) || warn "The types of the console's scripts will not be checked."
}

# Fetches axe-core, a check of accessibility that is not ours, and tells the tests of the console where it is.
#
# It comes from PyPI in a package whose hash is written down; without it the test that uses it says that it is skipped.
want_axe() {
    local folder="$packages_scratch/axe" package="axe_playwright_python-0.1.8-py3-none-any.whl"
    local requirement="axe-playwright-python==0.1.8 --hash=sha256:fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8"
    if [ ! -e "$folder/axe_playwright_python/axe.min.js" ]; then
        mkdir -p "$folder"
        printf '%s\n' "$requirement" >"$folder/requirements.txt"
        if ! { python3 -m pip download -q --timeout 20 --retries 1 --no-deps --only-binary :all: --require-hashes \
            -r "$folder/requirements.txt" -d "$folder" \
            && python3 -m zipfile -e "$folder/$package" "$folder"; } >/dev/null 2>&1; then
            warn "axe-core cannot be fetched, which needs python3 with pip, and PyPI; its test will be skipped."
            return 0
        fi
    fi
    export DAYBOOK_AXE="$folder/axe_playwright_python/axe.min.js"
}

# What the tests of time-stamps have an authority of time from; without it they say that they were skipped.
want_openssl() {
    command -v openssl >/dev/null 2>&1 || (require_debian_package openssl) \
        || warn "The tests that need an authority of time will be skipped."
}

# Installs moto, a store of objects that others wrote, and tells the tests of the log's bucket which Python has it.
#
# Its version, and those of what serves it, are written down; without it the tests that use it say that they are skipped.
want_moto() {
    local python="$packages_scratch/moto" requirements="$root/Tools/lib/bucket/requirements.txt"
    if ! { cmp -s "$requirements" "$python/requirements.txt" \
        || { python3 -m venv "$python" \
            && "$python/bin/pip" install -q --timeout 20 --retries 1 --only-binary :all: -r "$requirements" \
            && cp "$requirements" "$python/"; }; } >/dev/null 2>&1; then
        warn "moto cannot be installed, which needs python3 with venv, and PyPI; the tests of the log's bucket with it will be skipped."
        return 0
    fi
    export DAYBOOK_MOTO="$python/bin/python"
}

# What the attacks, schemathesis and the validators of exports need; without it they say that they were skipped.
want_python() {
    [ "$(uname -s)" = Linux ] || return 0
    if ! python3 -c 'import ensurepip, pip' 2>/dev/null; then
        (require_debian_package python3-venv && require_debian_package python3-pip) || warn "Checks by Python will be skipped."
    fi
    command -v curl >/dev/null 2>&1 || (require_debian_package curl) || warn "Checks over HTTP will be skipped."
}

# require_debian_package NAME: installs a package with apt-get, as root or through sudo.
require_debian_package() {
    local name=$1
    local -a elevate=()
    command -v apt-get >/dev/null 2>&1 \
        || fail "$name is missing and there is no apt-get here: install it with the system's package manager." 69
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "$name is missing: run 'apt-get install $name' as root." 69
        elevate=(sudo)
    fi
    say "Installing $name."
    local log
    log=$(mktemp)
    # A fresh image has no package lists; an old one may have stale ones.
    if ! { ${elevate[@]+"${elevate[@]}"} apt-get update -qq \
        && ${elevate[@]+"${elevate[@]}"} env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$name"; } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        fail "$name could not be installed; what apt-get said is above." 69
    fi
    rm -f "$log"
}

# swift_in PACKAGE COMMAND [ARGUMENT...]: runs a SwiftPM command on a nested package in the shared scratch folder, or in `$scratch`,
# with the versions of libraries that the house is built with.
#
# Without --disable-build-manifest-caching a shared scratch folder may run the tests of another package and call it a
# success: the plan of the package that was built last is taken again.
#
# C is optimised in debug, too: it is other people's, above all cryptography, which takes half of the tests' time otherwise.
swift_in() {
    local package=$1 command=$2 status=0
    shift 2
    forget_objects_behind_reexports
    if [ -z "${scratch:-}" ]; then resolve_packages || return 1; fi
    pin_versions "$package"
    swift "$command" --package-path "$root/$package" --scratch-path "${scratch:-$packages_scratch}" \
        --disable-build-manifest-caching -Xcc -O2 ${lean[@]+"${lean[@]}"} "$@" || status=$?
    check_versions "$package" || return 1
    return "$status"
}

# build_product PACKAGE PRODUCT [CONFIGURATION]: builds one executable of a nested package; shows the output only if that fails.
build_product() {
    local package=$1 product=$2 configuration=${3:-debug} log
    log=$(mktemp)
    say "Building $product; the first time takes some minutes."
    local scratch=""
    if [ "$configuration" = release ]; then scratch=$release_scratch; fi
    if ! swift_in "$package" build --product "$product" -c "$configuration" 2>&1 | tee "$log" | show_build_progress; then
        grep -E 'error|warning' "$log" | sort -u >&2 || cat "$log" >&2
        rm -f "$log"
        fail "$product of $package does not build; the errors are above." 70
    fi
    rm -f "$log"
}

# Reads what SwiftPM prints and shows every tenth of the steps.
show_build_progress() {
    awk -F '[][/]' '/^\[[0-9]+\/[0-9]+\]/ {
        tenth = int($2 * 10 / $3)
        if ($3 > 20 && tenth > shown) { shown = tenth; printf "  %d of %d steps\n", $2, $3; fflush() }
    }'
}

# product_folder [CONFIGURATION]: prints the folder that build_product leaves its executables in.
product_folder() {
    if [ "${1:-debug}" = release ]; then printf '%s\n' "$release_scratch/release"; else printf '%s\n' "$packages_scratch/debug"; fi
}

# Prints the nested packages, the one that all others depend on first.
list_packages() {
    local folder
    printf 'Packages/EventModel\n'
    for folder in "$root"/Packages/*/; do
        folder=Packages/$(basename "$folder")
        if [ "$folder" != Packages/EventModel ] && [ -e "$root/$folder/Package.swift" ]; then printf '%s\n' "$folder"; fi
    done
}

# Prints every folder with a manifest, as a path from the root; `.` is the facade.
list_manifests() {
    list_files | sed -n -e 's#^Package\.swift$#.#p' -e 's#/Package\.swift$##p'
}

# Writes the manifests of all packages as JSON, the unchanged ones not again, and prints the folder with them.
dump_manifests() {
    local folder name target wanted="" dumps="$packages_scratch/manifests"
    mkdir -p "$dumps"
    for folder in $(list_manifests); do
        name=facade
        [ "$folder" = . ] || name=${folder//\//+}
        target="$dumps/$name.json"
        wanted="$wanted $name.json"
        if [ ! -e "$target" ] || [ "$root/$folder/Package.swift" -nt "$target" ]; then
            swift package dump-package --package-path "$root/$folder" --scratch-path "$packages_scratch" >"$target.new" \
                || return 1
            mv "$target.new" "$target"
        fi
    done
    # A package that is gone must not be compared with any more.
    for target in "$dumps"/*.json; do
        case " $wanted " in *" $(basename "$target") "*) ;; *) rm -f "$target" ;; esac
    done
    printf '%s\n' "$dumps"
}

# Builds the program with the house rules; without changes that takes a second.
build_house_rules() {
    local log
    log=$(mktemp)
    if ! swift_in Tools/HouseRules build --product house-rules >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        fail "Tools/HouseRules does not build; the errors are above." 70
    fi
    rm -f "$log"
}

# Runs the program with the house rules.
house_rules() { "$packages_scratch/debug/house-rules" "$@"; }

# Lists the files of the clone as paths from its root: tracked ones and new ones that are not ignored.
list_files() {
    git -C "$root" ls-files --cached --others --exclude-standard | while IFS= read -r file; do
        if [ -f "$root/$file" ]; then printf '%s\n' "$file"; fi
    done
}

# count_checks FILE: counts the lines `ok …`, `FAILED …` and `tests PASSED FAILED`, prints the sum and returns whether
# all passed. This line is the last one of every script that checks something.
count_checks() {
    awk '
        /^ok / { passed++ }
        /^FAILED / { failed++ }
        /^tests [0-9]+ [0-9]+$/ { passed += $2; failed += $3 }
        END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }
    ' "$1"
}
