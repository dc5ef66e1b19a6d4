# Makes a Debian package of the programs that link.sh made; sourced behind it. Needs `version`, `debian_version` and `epoch`.

release_files="$root/Tools/lib/release"

# stage_files PROGRAMS TREE: puts all that is installed into a folder, as it will lie on the disk.
stage_files() {
    local programs=$1 tree=$2 shell name dumps
    dumps=$(mktemp -d)
    mkdir -p "$tree"
    install -d -m 755 "$tree"/usr/{bin,lib/systemd/system,share/man/man1,share/doc/daybook} "$tree/etc/daybook"
    install -d -m 755 "$tree"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    for name in daybook daybook-verify; do
        install -m 755 "$programs/$name" "$tree/usr/bin/$name"
        "$programs/$name" --experimental-dump-help >"$dumps/$name.json"
        for shell in bash zsh fish; do "$programs/$name" --generate-completion-script "$shell" >"$dumps/$name.$shell"; done
        install -m 644 "$dumps/$name.bash" "$tree/usr/share/bash-completion/completions/$name"
        install -m 644 "$dumps/$name.zsh" "$tree/usr/share/zsh/vendor-completions/_$name"
        install -m 644 "$dumps/$name.fish" "$tree/usr/share/fish/vendor_completions.d/$name.fish"
    done
    python3 "$release_files/manual.py" "$tree/usr/share/man/man1" "$version" "$epoch" "$dumps"/*.json >/dev/null
    rm -rf "$dumps"
    install -m 644 "$release_files/debian/daybook.service" "$tree/usr/lib/systemd/system/daybook.service"
    install -m 644 "$release_files/debian/daybook.env" "$tree/etc/daybook/daybook.env"
    install -m 644 "$root"/Packages/AuditServer/Docs/{*.md,openapi.json} "$root/README.md" "$release_files/debian/copyright" \
        "$tree/usr/share/doc/daybook/"
    install -m 644 "$root/Packages/CHANGELOG.md" "$tree/usr/share/doc/daybook/changelog"
    gzip -9n "$tree/usr/share/doc/daybook/changelog" "$tree"/usr/share/man/man1/*.1
    chmod -R u=rwX,go=rX "$tree"
    # A password may come to stand in it.
    chmod 600 "$tree/etc/daybook/daybook.env"
}

# needed_packages TREE: prints the packages of Debian that the programs need, with the least versions, separated by commas.
#
# The time zones and the certificates of authorities are files that no linker knows of.
needed_packages() {
    local folder found
    folder=$(mktemp -d)
    mkdir "$folder/debian"
    printf 'Source: daybook\n\nPackage: daybook\nArchitecture: any\n' >"$folder/debian/control"
    found=$(cd "$folder" && dpkg-shlibdeps -O "$1"/usr/bin/* 2>"$folder/said" | sed -n 's/^shlibs:Depends=//p')
    if [ -z "$found" ]; then
        cat "$folder/said" >&2
        rm -rf "$folder"
        fail "dpkg-shlibdeps cannot say which packages the programs need; what it said is above." 70
    fi
    rm -rf "$folder"
    printf '%s, ca-certificates, tzdata\n' "$found"
}

# check_tree TREE: fails with a sentence for a file that others could change, or that gives whoever starts it more rights.
check_tree() {
    local odd
    odd=$(cd "$1" && find . \( -perm /6000 -o \( ! -type l -perm /022 \) -o ! \( -type f -o -type d -o -type l \) \) -print)
    [ -n "$odd" ] || return 0
    warn "These must not be packed, as others may write to them, they change who runs them, or they are no files:"
    printf '%s\n' "$odd" | sed 's/^\./    /' >&2
    return 1
}

# pack_debian TREE VERSION DEPENDS OUT: makes a package of a folder that stage_files filled.
pack_debian() {
    local tree=$1 numbered=$2 depends=$3 out=$4 size name
    check_tree "$tree" || return 1
    # Once more in a folder beside, whose files are the same ones: an image is made of the first.
    rm -rf "$tree.deb"
    cp -al "$tree" "$tree.deb"
    install -d -m 755 "$tree.deb/DEBIAN"
    size=$(du -sk --apparent-size "$tree" | cut -f 1)
    cat >"$tree.deb/DEBIAN/control" <<CONTROL
Package: daybook
Version: $numbered
Architecture: $(dpkg --print-architecture)
Maintainer: The owner of Daybook <daybook@localhost>
Installed-Size: $size
Depends: $depends
Section: database
Priority: optional
Description: server and auditor's command of Daybook
 Daybook is an embedded object database for Swift that can prove what a
 user saw and did. This package has the server that devices upload their
 events to, with a unit for systemd, the command that auditors read and
 verify events with, and daybook-verify, which can do nothing but verify.
CONTROL
    printf '/etc/daybook/daybook.env\n' >"$tree.deb/DEBIAN/conffiles"
    (cd "$tree.deb" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree.deb/DEBIAN/md5sums"
    for name in postinst prerm postrm; do install -m 755 "$release_files/debian/$name" "$tree.deb/DEBIAN/$name"; done
    chmod 644 "$tree.deb"/DEBIAN/{control,conffiles,md5sums}
    find "$tree.deb" -exec touch -h -d "@$epoch" {} +
    SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group "${deb_compression[@]}" --build "$tree.deb" "$out" >/dev/null || return 1
    rm -rf "$tree.deb"
    check_packed "$out"
}

# check_packed FILE: fails with a sentence for a package with files that are not root's, or that check_tree would not have let through.
check_packed() {
    local odd
    odd=$(dpkg-deb --contents "$1" | awk '
        $2 != "root/root" || $1 !~ /^[-dl]/ || $1 ~ /[sStT]/ || ($1 !~ /^l/ && (substr($1, 6, 1) == "w" || substr($1, 9, 1) == "w"))')
    [ -n "$odd" ] || return 0
    warn "${1##*/} has files that are not root's, that others may write to, or that change who runs them:"
    printf '%s\n' "$odd" | sed 's/^/    /' >&2
    return 1
}
