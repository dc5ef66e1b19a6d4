# Makes a release of what is there, installs it as an operator does, and attacks it; sourced behind common.sh.
# shellcheck shell=bash disable=SC2016,SC2154

# Each of these sources others of Tools/lib/release, and is sourced in a shell of its own: they set names that Tools/test has, too.
release_parts() {
    local name
    # What refusals.sh reads.
    # shellcheck disable=SC2034
    snapshot=yes version=""
    for name in refusals link debian root bill image; do
        # shellcheck source=/dev/null
        source "$root/Tools/lib/release/$name.sh"
    done
    choose_version
}

# holds NAME REASON COMMAND...: says whether a command succeeds, and what it said when it does not.
holds() {
    local name=$1 reason=$2 said
    shift 2
    if said=$("$@" 2>&1); then
        say "ok $name"
    else
        printf '%s\n' "$said" | tail -n 12 | sed 's/^/    /'
        say "FAILED $name: $reason"
    fi
}

# refused NAME CODE WORDS COMMAND...: says whether a command ends with a code, and with words of its error in what it says.
refused() {
    local name=$1 code=$2 words=$3 said status=0
    shift 3
    said=$("$@" 2>&1) || status=$?
    case "$status $said" in
        "$code "*"$words"*) say "ok $name" ;;
        *)
            printf '%s\n' "$said" | tail -n 5 | sed 's/^/    /'
            say "FAILED $name: it ended with $status in place of $code, or does not say '$words'"
            ;;
    esac
}

# package_check: everything about a release, in a folder that goes afterwards.
package_check() {
    local folder status=0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "skipped 1 tests: a package of Debian is made and installed on Debian or Ubuntu alone"
        say "tests 0 0"
        return 0
    fi
    mkdir -p "$release_scratch"
    # Beside what is linked, as it takes a gigabyte.
    folder=$(mktemp -d "$release_scratch/package.XXXXXX")
    # shellcheck disable=SC2064
    trap "rm -rf --one-file-system '$folder'" EXIT
    (
        # Its ends are those of the step.
        trap - EXIT
        release_parts
        package_refusals "$folder/refusals"
        if ! "$root/Tools/release" --snapshot --out "$folder/release"; then
            # Without an image all else is there to be looked at.
            if [ -e "$folder/release/SHA256SUMS" ]; then
                say "skipped 1 tests: there is no image, for the reason above"
            else
                say "FAILED release-made: what Tools/release says is above"
                exit 1
            fi
        fi
        say "ok release-made"
        dpkg-deb -x "$folder/release"/*.deb "$folder/installed"
        package_attacks "$folder"
        package_again "$folder"
        if ! may_enter_roots; then
            say "skipped 1 tests: a package is installed by root, in a namespace of its own, and this is not allowed here"
        elif base=$(make_debian_root "$(bare_names "$(dpkg-deb -f "$folder/release"/*.deb Depends)")" no); then
            package_installed "$folder" "$base"
            if ls "$folder/release"/*.oci.tar >/dev/null 2>&1; then package_image "$folder"; fi
        else
            say "skipped 1 tests: there is no Debian to install the package in, for the reason above"
        fi
    ) >"$folder/said" 2>&1 || status=$?
    cat "$folder/said"
    if grep '^FAILED ' "$folder/said" >/dev/null; then status=1; fi
    return "$status"
}

# package_refusals FOLDER: lets Tools/release make what it must not make, in a small repository of its own.
package_refusals() {
    local copy=$1 word source=Packages/AuditServer/Sources/AuditArchives/ReleaseText.swift
    mkdir -p "$copy/${source%/*}"
    cp -R "$root/Tools" "$copy/Tools"
    cp "$root/$source" "$copy/$source"
    local release="$copy/Tools/release"
    refused release-needs-a-clone 66 "is no clone" env GIT_CEILING_DIRECTORIES="${copy%/*}" "$release" 1.2.3
    # It lies in the clone that is tested, whose commit is not its own.
    refused release-needs-a-clone-of-its-own 66 "of another repository" "$release" 1.2.3
    git -C "$copy" init -q
    commit_all "$copy" one
    refused release-needs-a-version 64 "needs a version" "$release"
    for word in v1.2.3 1.2 1.2.3.4 01.2.3 1.2.3-rc.0 1.2.3-beta.1 ../1.2.3 '1.2.3;x' $'1.2.3\n1.2.3' '*'; do
        refused "release-refuses-version-$(printf '%s' "$word" | tr '\n/' '__')" 64 "is no version" "$release" "$word"
    done
    refused release-snapshot-has-no-version 64 "no version of its own" "$release" --snapshot 1.2.3
    refused release-needs-a-tag 65 "has no tag 1.2.3" "$release" 1.2.3
    git -C "$copy" tag 1.2.3
    refused release-needs-the-constant 65 "says that there is no version, and not 1.2.3" "$release" 1.2.3
    sed -i.before 's/let version: String? = .*/let version: String? = "1.2.3"/' "$copy/$source"
    rm "$copy/$source.before"
    refused release-needs-a-clean-clone 65 "changes that are in no commit" "$release" 1.2.3
    commit_all "$copy" two
    refused release-needs-the-tag-on-this-commit 65 "has no tag 1.2.3" "$release" 1.2.3
    git -C "$copy" tag -f 1.2.3 >/dev/null
    touch "$copy/new"
    refused release-refuses-files-of-nobody 65 "changes that are in no commit, such as '?? new'" "$release" 1.2.3
    rm "$copy/new"
    refused release-refuses-a-file-as-folder 73 "is not a folder" "$release" 1.2.3 --out "$release"
    refused release-refuses-a-folder-that-is-not-empty 73 "is not empty" "$release" 1.2.3 --out "$copy/Tools"
    refused release-refuses-a-link-to-nothing 73 "is not a folder" bash -c 'ln -s nothing "$1.link"; "$0" 1.2.3 --out "$1.link"' "$release" "$copy"
    holds release-refusals-change-nothing "a refusal left something in the clone" \
        test -z "$(git -C "$copy" status --porcelain --ignored)"
}

commit_all() {
    git -C "$1" add -A
    git -C "$1" -c user.name=Daybook -c user.email=daybook@localhost -c commit.gpgsign=false commit -q -m "$2"
}

# package_attacks FOLDER: changes what was released, and packs what must not be packed.
package_attacks() {
    local folder=$1 release="$1/release" deb name
    deb=$(basename "$release"/*.deb)
    holds release-sums "the files are not those of SHA256SUMS" bash -c 'cd "$0" && sha256sum --check --strict --quiet SHA256SUMS' "$release"
    holds release-sums-all "SHA256SUMS lacks a file" \
        bash -c 'cd "$0" && diff <(ls | grep -vxF SHA256SUMS) <(cut -c 67- SHA256SUMS | LC_ALL=C sort)' "$release"
    mkdir "$folder/changed"
    cp "$release/$deb" "$release/SHA256SUMS" "$folder/changed/"
    # One bit of one byte, in the middle.
    python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    place = file.seek(0, 2) // 2
    file.seek(place); byte = file.read(1)[0]
    file.seek(place); file.write(bytes([byte ^ 1]))' "$folder/changed/$deb"
    refused release-sums-find-a-bit 1 "$deb: FAILED" bash -c 'cd "$0" && sha256sum --check --ignore-missing SHA256SUMS' "$folder/changed"
    rm -rf "$folder/changed"

    for name in daybook daybook-verify; do
        holds "package-$name-stands-alone" "it needs what users do not have" check_linked "$folder/installed/usr/bin/$name"
    done
    refused package-refuses-the-toolchain 1 "of the toolchain" check_linked "$(product_folder release)/daybook"
    holds package-rights "the package has files with odd owners or rights" check_packed "$release/$deb"
    for name in 4755:setuid 2755:setgid 666:writable 775:shared; do
        rm -rf "$folder/odd"
        mkdir -p "$folder/odd/usr/bin"
        install -m "${name%:*}" /bin/true "$folder/odd/usr/bin/odd"
        refused "package-refuses-${name#*:}" 1 "/usr/bin/odd" pack_odd "$folder/odd"
    done
    rm "$folder/odd/usr/bin/odd"
    mkfifo "$folder/odd/usr/bin/pipe"
    refused package-refuses-a-pipe 1 "/usr/bin/pipe" pack_odd "$folder/odd"
    if [ "$(id -u)" = 0 ]; then
        rm "$folder/odd/usr/bin/pipe"
        install -m 755 -o 1234 /bin/true "$folder/odd/usr/bin/odd"
        mkdir "$folder/odd/DEBIAN"
        printf 'Package: odd\nVersion: 1\nArchitecture: all\nMaintainer: o <o@localhost>\nDescription: odd\n' >"$folder/odd/DEBIAN/control"
        dpkg-deb -Znone --build "$folder/odd" "$folder/odd.deb" >/dev/null
        refused package-refuses-a-foreign-owner 1 "./usr/bin/odd" check_packed "$folder/odd.deb"
    fi
}

# pack_odd TREE: what must not be packed is refused before anything is made of it.
pack_odd() { pack_debian "$1" 1 libc6 "$1.deb"; }

# package_again FOLDER: packs the same programs once more, which has to give the same bytes, and the next version for an upgrade.
package_again() {
    local folder=$1 depends docs="$1/again/usr/share/doc/daybook"
    local release="$1/release"
    stage_files "$folder/installed/usr/bin" "$folder/again"
    depends=$(dpkg-deb -f "$release"/*.deb Depends)
    write_bill "$folder/installed/usr/bin" "$depends" "$docs" "$folder/again.spdx.json"
    holds package-same-bill "the SPDX document is another one the second time" cmp "$folder/again.spdx.json" "$release"/*.spdx.json
    holds package-bill-of-these-programs "the SPDX document has other sums than the programs" bill_fits "$folder"
    pack_debian "$folder/again" "$debian_version" "$depends" "$folder/second.deb"
    holds package-same-bytes "the package is another one the second time" cmp "$folder/second.deb" "$release"/*.deb
    rm -f "$folder/second.deb"
    pack_debian "$folder/again" "$debian_version+1" "$depends" "$folder/next.deb"
    if ls "$release"/*.oci.tar >/dev/null 2>&1; then
        pack_layer "$folder/again" "$folder/again.tar.gz"
        holds package-same-layer "the layer is another one the second time" bash -c \
            'tar -tf "$0" | grep -F "blobs/sha256/$(sha256sum "$1" | cut -d " " -f 1)"' "$release"/*.oci.tar "$folder/again.tar.gz"
        rm -f "$folder/again.tar.gz"
    fi
}

# bill_fits FOLDER: whether the document in the package is the one beside it, and names the programs by their sums.
bill_fits() {
    cmp "$1/installed/usr/share/doc/daybook/daybook.spdx.json" "$1/release"/*.spdx.json || return 1
    python3 -c 'import hashlib, json, sys
bill = json.load(open(sys.argv[2]))
known = {each["SPDXID"] for kind in ("packages", "files") for each in bill[kind]} | {"SPDXRef-DOCUMENT"}
assert all(each[end] in known for each in bill["relationships"] for end in ("spdxElementId", "relatedSpdxElement")), "a relation to nothing"
assert len(bill["files"]) == 2, "not two programs"
for file in bill["files"]:
    found = {each["algorithm"]: each["checksumValue"] for each in file["checksums"]}
    content = open(sys.argv[1] + file["fileName"][1:], "rb").read()
    assert found["SHA256"] == hashlib.sha256(content).hexdigest(), file["fileName"]' "$1/installed" "$1/release"/*.spdx.json
}
