# A small Debian: what the image lies on, and what the package is tested in; sourced behind common.sh.

# What a program of the package needs in the small Debian, without versions: the image has no package of ours in it.
bare_names() { printf '%s\n' "$1" | sed -e 's/ *([^)]*)//g' -e 's/, */,/g'; }

# make_debian_root PACKAGES FRESH: prints the archive of a Debian of this machine's version with some packages, made by mmdebstrap.
#
# With FRESH it is made now, else one of the last seven days is taken. Fails, with the reason on stderr, where it cannot be made.
make_debian_root() {
    local packages=$1 fresh=$2 archive="$release_scratch/debian-root.tar" wish suite log status=0
    suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    wish="$suite $packages"
    if [ "$fresh" = no ] && [ -e "$archive" ] && [ "$(cat "$archive.made" 2>/dev/null)" = "$wish" ] \
        && [ -z "$(find "$archive" -mtime +6)" ]; then
        printf '%s\n' "$archive"
        return 0
    fi
    command -v mmdebstrap >/dev/null 2>&1 || (require_debian_package mmdebstrap) >&2 || return 1
    log=$(mktemp)
    rm -f "$archive.made"
    # Programs can be started in it as they are at somebody's; a device node in a layer cannot be unpacked without rights.
    timeout --signal=KILL 600 mmdebstrap --variant=apt --skip=output/dev --include="$packages" "$suite" "${archive%.tar}.new.tar" \
        >"$log" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        warn "mmdebstrap cannot make a small Debian ($suite) here: $(grep -E '^E:' "$log" | tail -n 1)"
        rm -f "$log" "${archive%.tar}.new.tar"
        return 1
    fi
    rm -f "$log"
    mv "${archive%.tar}.new.tar" "$archive"
    printf '%s\n' "$wish" >"$archive.made"
    printf '%s\n' "$archive"
}

# may_enter_roots: whether this user may unpack a Debian and run programs in it.
may_enter_roots() { [ "$(id -u)" = 0 ] && unshare --mount --pid --fork true 2>/dev/null; }

# in_root ROOT COMMAND...: runs a command in a folder with a Debian, with processes of its own, which end with it, in five minutes at most.
in_root() {
    # shellcheck disable=SC2016
    timeout --foreground --signal=KILL 300 unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mkdir -p "$1/proc" "$1/dev"
        mount -t proc proc "$1/proc"
        mount -t tmpfs -o mode=755 dev "$1/dev"
        for name in null zero full random urandom tty; do touch "$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
        ln -s /proc/self/fd "$1/dev/fd"
        exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:2}"
    ' _ "$@"
}
