# Installs the package in a small Debian as an operator does, and starts the image as somebody does; sourced behind package.sh.
# shellcheck shell=bash disable=SC2016,SC2154
#
# First without systemd, as in a container: what the unit says is looked at by systemd's own programs, and the server is started by its
# line, with the user and without the rights that it would have. Then with it, where such a Debian can be started.

# Whom the server runs as there: one of the users that systemd makes for DynamicUser=.
package_user=61184

# as_service ROOT COMMAND...: runs a command in a root as the unit would, with the file that says the options.
as_service() {
    local place=$1
    shift
    # Root reads the file, as systemd does.
    in_root "$place" sh -c 'umask 077; . /etc/daybook/daybook.env; export DAYBOOK_OPTIONS; exec "$@"' _ \
        setpriv --reuid "$package_user" --regid "$package_user" --clear-groups --no-new-privs --bounding-set=-all "$@"
}

# serve_as_service ROOT [OPTION]: runs the server by the unit's line.
serve_as_service() { as_service "$1" sh -c 'exec daybook serve "$@" --data /var/lib/daybook $DAYBOOK_OPTIONS' _ "${@:2}"; }

# free_port: prints a port that nobody listens on.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# answers URL WORD: whether a server answers with 200 and with a word.
answers() {
    python3 -c 'import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=30) as answer:
    text = answer.read().decode()
    assert answer.status == 200 and sys.argv[2] in text, text[:500]' "$1" "$2"
}

# with_server LOG FUNCTION COMMAND...: starts a server, calls a function with its address while it runs, and ends it with SIGTERM.
#
# The server is the first process of its own namespace, as in a container: there the system sends it no signal that it does not wait for.
with_server() {
    local log=$1 function=$2 line server url status=0
    shift 2
    rm -f "$log.ready"
    mkfifo "$log.ready"
    "$@" >"$log.ready" 2>"$log" &
    server=$!
    exec 6<"$log.ready"
    if read -r -t 60 line <&6 && url=$(printf '%s\n' "$line" | grep -oE 'http://[^ ]+'); then
        "$function" "$url"
        kill -TERM "$(innermost "$server")" || true
        wait "$server" || status=$?
        if [ "$status" = 0 ]; then
            say "ok ${function//_/-}-stopped"
        else
            say "FAILED ${function//_/-}-stopped: it ended with $status after SIGTERM"
        fi
    else
        tail -n 12 "$log"
        say "FAILED ${function//_/-}-started: the server does not start"
        kill -KILL "$(innermost "$server")" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    exec 6<&-
}

# innermost PROCESS: prints the process that a chain of processes, each with one child, has started in the end.
innermost() {
    local process=$1 inner
    while inner=$(tr -d ' ' <"/proc/$process/task/$process/children") && [ -n "$inner" ]; do process=$inner; done
    printf '%s\n' "$process"
}

# package_installed FOLDER BASE: installs, starts, upgrades, removes and purges the package.
package_installed() {
    local folder=$1 place="$1/root" port name
    mkdir "$place"
    tar -xf "$2" -C "$place" --numeric-owner
    cp /etc/resolv.conf "$place/etc/resolv.conf"
    mkdir -p "$place/srv"
    cp "$folder/release"/*.deb "$place/srv/first.deb"
    cp "$folder/next.deb" "$place/srv/next.deb"
    # They are there for the image; apt has to find them by what the package says.
    name=$(bare_names "$(dpkg-deb -f "$place/srv/first.deb" Depends)" | tr ',' '\n' | grep -vE '^(libc6|libgcc-s1|libstdc\+\+6|zlib1g)$')
    # shellcheck disable=SC2086
    in_root "$place" apt-get purge -qq -y $name >"$folder/log" 2>&1 || true
    refused package-needs-its-libraries 1 "dependency problems" in_root "$place" dpkg -i /srv/first.deb
    in_root "$place" dpkg --purge daybook >>"$folder/log" 2>&1
    if ! { in_root "$place" apt-get update -qq && in_root "$place" apt-get install -qq -y --no-install-recommends /srv/first.deb systemd; } \
        >"$folder/log" 2>&1; then
        tail -n 12 "$folder/log"
        say "FAILED package-installed: apt-get cannot install it"
        return 0
    fi
    say "ok package-installed"
    holds package-says-how-to-begin "what is told after the installation lacks the command that starts it" \
        grep -F "systemctl enable --now daybook" "$folder/log"
    holds package-version "the program says another version" \
        test "$(in_root "$place" daybook --version)" = "$("$folder/installed/usr/bin/daybook" --version)"
    holds package-verifies "daybook-verify does not start" in_root "$place" daybook-verify --help
    holds package-manuals "a manual page is missing, or is none" package_manuals "$place"
    holds package-completions "the completions of bash are no script of it" \
        in_root "$place" bash -n /usr/share/bash-completion/completions/daybook
    holds package-files "a file is not what was packed" in_root "$place" dpkg --verify daybook
    holds package-options-are-roots "others may read the options, in which a password may stand" \
        test "$(stat -c '%U %a' "$place/etc/daybook/daybook.env")" = "root 600"
    holds package-options-are-no-trial "Development Mode is on in a line of the options" package_options "$place/etc/daybook/daybook.env"
    package_unit "$place"

    # What systemd makes for StateDirectory= and DynamicUser=.
    install -d -m 755 "$place/var/lib/private"
    install -d -m 700 -o "$package_user" -g "$package_user" "$place/var/lib/private/daybook"
    ln -s private/daybook "$place/var/lib/daybook"
    port=$(free_port)
    # An operator's edit, which every upgrade has to leave as it is.
    printf 'DAYBOOK_OPTIONS="--port %s --config /etc/daybook/serve.json5"\n' "$port" >"$place/etc/daybook/daybook.env"
    printf '{ apps: { "ward-app": { emailPassword: "signIn" } }, developmentMode: false }\n' >"$place/etc/daybook/serve.json5"
    cp "$place/etc/daybook/daybook.env" "$folder/edited.env"
    holds package-check "serve --check finds a problem" package_check_start "$place"
    installed_root=$place
    with_server "$folder/server.log" package_server serve_as_service "$place"

    holds package-upgraded "apt-get cannot upgrade it" in_root "$place" apt-get install -qq -y /srv/next.deb
    holds package-upgrade-version "another version is installed" \
        test "$(in_root "$place" dpkg-query -W -f '${Version}' daybook)" = "$(dpkg-deb -f "$folder/next.deb" Version)"
    holds package-upgrade-keeps-the-edit "the operator's options are gone" cmp "$folder/edited.env" "$place/etc/daybook/daybook.env"
    with_server "$folder/server.log" package_upgraded_server serve_as_service "$place"

    find "$place/var/lib/private/daybook" -type f -exec sha256sum {} + | sort >"$folder/before"
    holds package-removed "apt-get cannot remove it" in_root "$place" apt-get remove -qq -y daybook
    holds package-remove-keeps-the-edit "the operator's options are gone" cmp "$folder/edited.env" "$place/etc/daybook/daybook.env"
    holds package-remove-takes-programs "a program is left" \
        test ! -e "$place/usr/bin/daybook" -a ! -e "$place/usr/lib/systemd/system/daybook.service"
    in_root "$place" apt-get purge -qq -y daybook >"$folder/log" 2>&1
    holds package-purged "something is left of it" test ! -e "$place/etc/daybook/daybook.env" -a ! -e "$place/usr/share/doc/daybook"
    holds package-purge-keeps-events "what devices uploaded has changed" \
        bash -c 'find "$0" -type f -exec sha256sum {} + | sort | cmp - "$1"' "$place/var/lib/private/daybook" "$folder/before"
    holds package-purge-says-so "nobody is told that events are left" grep -F "is left in /var/lib/private/daybook" "$folder/log"
    rm -rf "$place/var/lib/private/daybook" "$place/var/lib/daybook" "$place/etc/daybook"
    package_booted "$folder" "$place"
    rm -rf --one-file-system "$place"
}

# package_booted FOLDER ROOT: starts the Debian with systemd as its first process, and has it do what trial.sh says.
package_booted() {
    local folder=$1 place=$2 log="$1/boot.log"
    local reason="a Debian with systemd cannot be started here, so nobody has seen the unit run"
    if ! command -v systemd-nspawn >/dev/null 2>&1 && ! (require_debian_package systemd-container) >/dev/null 2>&1; then
        say "skipped 1 tests: $reason: there is no systemd-nspawn"
        return 0
    fi
    if ! in_root "$place" apt-get install -qq -y --no-install-recommends systemd-sysv dbus >"$log" 2>&1; then
        tail -n 5 "$log"
        say "FAILED unit-system: apt-get cannot install what starts it"
        return 0
    fi
    free_port >"$place/srv/port"
    printf 'DAYBOOK_OPTIONS="--port %s --no-development-mode --app ward-app"\n' "$(cat "$place/srv/port")" >"$place/srv/daybook.env"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -keyout "$place/srv/key.pem" -out "$place/srv/chain.pem" 2>/dev/null
    install -m 755 "$root/Tools/lib/release/trial.sh" "$place/srv/trial.sh"
    printf '%s\n' '[Unit]' 'Description=What an operator does' 'Requires=basic.target dbus.socket' \
        'After=basic.target dbus.socket' '[Service]' 'Type=oneshot' 'ExecStart=/srv/trial.sh' \
        >"$place/etc/systemd/system/trial.service"
    # The first line of a system that was started comes after a second or two; it cannot be told from one that hangs but by time.
    timeout --foreground --signal=KILL 240 systemd-nspawn --quiet --directory="$place" --register=no --keep-unit --console=pipe \
        --boot systemd.unit=trial.service </dev/null >"$log" 2>&1 || true
    if [ -s "$place/srv/said" ]; then
        cat "$place/srv/said"
        # It is written when everything is done.
        if ! grep -E '(ok|FAILED) unit-purge-keeps-events' "$place/srv/said" >/dev/null; then
            say "FAILED unit-trial: it ended before it was done"
        fi
    else
        tail -n 3 "$log"
        say "skipped 1 tests: $reason: what systemd-nspawn says is above"
    fi
}

# package_manuals ROOT: whether each command has a page that is no empty one, and man finds nothing wrong with it.
package_manuals() {
    local page
    for page in daybook daybook-serve daybook-users-add daybook-verify; do
        gzip -dc "$1/usr/share/man/man1/$page.1.gz" | grep '^\.SH SYNOPSIS' || return 1
    done
    command -v man >/dev/null || return 0
    for page in "$1"/usr/share/man/man1/daybook*.1.gz; do
        [ -z "$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null | tee /dev/stderr)" ] || return 1
    done
}

# package_options FILE: whether every line of options that is there, also those to be chosen, turns Development Mode off.
package_options() {
    grep -c 'DAYBOOK_OPTIONS=' "$1" && ! grep 'DAYBOOK_OPTIONS=' "$1" | grep -vF -e --no-development-mode
}

# package_check_start ROOT: whether a start would find everything right, before there is anything.
package_check_start() {
    local said
    said=$(serve_as_service "$1" --check) || { say "$said"; return 1; }
    say "$said"
    ! printf '%s\n' "$said" | grep -E '^(warning|problem)'
}

# package_unit ROOT: has systemd's own programs read the unit, and say what a server that was taken over could do.
package_unit() {
    local said
    said=$(in_root "$1" systemd-analyze verify --man=no /usr/lib/systemd/system/daybook.service 2>&1) || true
    if ! printf '%s\n' "$said" | grep -F daybook >/dev/null; then
        say "ok package-unit"
    else
        printf '%s\n' "$said"
        say "FAILED package-unit: systemd-analyze verify finds what is above"
    fi
    # In tenths; what Debian's own services have is 9 and more.
    if said=$(in_root "$1" systemd-analyze security --offline=true --no-pager --threshold=20 /usr/lib/systemd/system/daybook.service 2>&1); then
        say "ok package-unit-is-hardened"
        printf '%s\n' "$said" | tail -n 1
    else
        printf '%s\n' "$said" | grep -vF '✓' | tail -n 30
        say "FAILED package-unit-is-hardened: the unit lets a server that was taken over do more than 2 of 10"
    fi
}

# daybook_there COMMAND...: asks the server that was installed, as its administrator.
daybook_there() {
    as_service "$installed_root" daybook "$@" --server "$server_url" --token-file /var/lib/daybook/administrator.token --app ward-app
}

# package_server URL: what a server has to answer after it was installed.
package_server() {
    server_url=$1
    holds package-server-answers "/health does not answer" answers "$1/health" ""
    holds package-server-is-ready "/ready does not answer" answers "$1/ready" ""
    if printf 'a long enough password\n' | daybook_there users add nurse@ward.example; then
        say "ok package-server-adds-a-user"
    else
        say "FAILED package-server-adds-a-user: daybook users add fails"
    fi
    holds package-server-files "others may read what the server keeps" \
        test -z "$(find "$installed_root/var/lib/private/daybook" -perm /077 -print)"
}

# package_upgraded_server URL: the server after the upgrade has the user from before.
package_upgraded_server() {
    server_url=$1
    if daybook_there users list | grep -F nurse@ward.example; then
        say "ok package-upgrade-keeps-users"
    else
        say "FAILED package-upgrade-keeps-users: the user from before is gone"
    fi
}

# package_image FOLDER: unpacks the image twice, by the specification and with a program of others, and starts what it says.
package_image() {
    local folder=$1 image place="$1/unpacked" user
    local -a words=()
    image=$(echo "$folder/release"/*.oci.tar)
    mkdir "$place"
    if ! python3 "$root/Tools/lib/release/unpack.py" "$image" "$place" >"$folder/words"; then
        say "FAILED image-unpacked: the reason is above"
        return 0
    fi
    say "ok image-unpacked"
    { read -r user; while IFS= read -r word; do words+=("$word"); done; } <"$folder/words"
    holds image-runs-as-nobody "the user of the image is '$user'" test "$user" = 65532:65532
    holds image-data-is-private "/data is not the user's alone" test "$(stat -c '%u:%g %a' "$place/data")" = "65532:65532 700"
    image_changed "$folder" "$image"
    # All words but the address, which is every one of the machine's, and the port, which somebody may have.
    holds image-listens "the command of the image is another one" \
        test "${words[*]}" = "/usr/bin/daybook serve --data /data --host 0.0.0.0 --port 8080"
    with_server "$folder/image.log" image_server in_root "$place" setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs \
        "${words[@]}" --host 127.0.0.1 --port "$(free_port)"
    if command -v skopeo >/dev/null 2>&1 || (require_debian_package skopeo) >/dev/null 2>&1; then
        holds image-read-by-skopeo "skopeo cannot read the image" skopeo inspect "oci-archive:$image"
        holds image-copied-by-skopeo "skopeo finds a layer that is not what it should be" \
            skopeo copy --quiet "oci-archive:$image" "docker-archive:$folder/image.docker.tar:daybook:test"
    else
        say "skipped 1 tests: skopeo, which is not ours, cannot be installed to read the image"
    fi
    rm -rf --one-file-system "$place"
}

# image_changed FOLDER IMAGE: one bit of a layer is noticed by whoever unpacks the image.
image_changed() {
    cp "$2" "$1/changed.oci.tar"
    python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    place = file.seek(0, 2) // 2
    file.seek(place); byte = file.read(1)[0]
    file.seek(place); file.write(bytes([byte ^ 1]))' "$1/changed.oci.tar"
    mkdir "$1/changed"
    refused image-digests-find-a-bit 1 "is not what its name says" \
        python3 "$root/Tools/lib/release/unpack.py" "$1/changed.oci.tar" "$1/changed"
    rm -rf "$1/changed" "$1/changed.oci.tar"
}

# image_server URL: what a server has to answer that was started as an image says.
image_server() {
    holds image-server-answers "/health does not answer" answers "$1/health" ""
}
