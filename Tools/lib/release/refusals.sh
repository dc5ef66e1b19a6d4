# What Tools/release looks at before it makes anything; sourced behind common.sh. Sets `version`, `debian_version`, `commit`, `epoch`,
# `out`, and how much is packed.

# choose_version: takes the version that was given, if the clone is what was tagged, or that of a snapshot.
choose_version() {
    local said source="$root/Packages/AuditServer/Sources/AuditArchives/ReleaseText.swift"
    if [ "$snapshot" = yes ]; then
        [ -z "$version" ] || fail "A snapshot has no version of its own: give --snapshot or VERSION." 64
    else
        [ -n "$version" ] || fail "Tools/release needs a version, such as 0.1.0, or --snapshot." 64
        # In the locale of C a letter is one of 26, and in bash `$` is the end of the whole text.
        (LC_ALL=C; [[ "$version" =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-rc\.[1-9][0-9]*)?$ ]]) \
            || fail "'$version' is no version: write X.Y.Z, or X.Y.Z-rc.N for a candidate." 64
    fi
    commit=$(git -C "$root" rev-parse --verify --quiet HEAD 2>/dev/null) \
        || fail "$root is no clone with a commit: a release names the commit that it is made from, so make it in a clone." 66
    # In a folder of another repository the commit would be that one's.
    [ -z "$(git -C "$root" rev-parse --show-prefix)" ] \
        || fail "$root is a folder of another repository: a release names the commit that it is made from, so make it in a clone." 66
    epoch=$(git -C "$root" log -1 --format=%ct HEAD)
    local changed
    changed=$(git -C "$root" status --porcelain --untracked-files=normal | head -n 3)
    if [ "$snapshot" = yes ]; then
        version="0~$(TZ=UTC0 git -C "$root" log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd HEAD).$(git -C "$root" rev-parse --short=8 HEAD)"
        if [ -n "$changed" ]; then version="$version.changed"; commit="$commit, with changes"; fi
        debian_version=$version
        # A version of an image is a tag, which has no tilde.
        image_version=${version/\~/-}
        deb_compression=(-Zzstd -z3)
        layer_level=1
        return 0
    fi
    [ -z "$changed" ] || fail "The clone has changes that are in no commit, such as '${changed%%$'\n'*}': commit or remove them, then tag anew." 65
    git -C "$root" tag --points-at HEAD | grep -xF -- "$version" >/dev/null \
        || fail "The commit ${commit:0:8} has no tag $version: release from the commit that has it, or run 'git tag $version'." 65
    said=$(sed -n 's/^    package static let version: String? = "\(.*\)"$/\1/p' "$source")
    [ "$said" = "$version" ] || fail "ReleaseText.swift says ${said:-that there is no version}, and not $version: change the constant \
'version' in ${source#"$root"/}, commit that and tag it." 65
    debian_version=${version/-rc/\~rc}
    image_version=$version
    deb_compression=(-Zxz)
    layer_level=9
}

# choose_folder: takes the folder that was given for what is made, if nothing is in it.
choose_folder() {
    out=${out:-"$root/.release/$version"}
    if [ -e "$out" ] || [ -L "$out" ]; then
        [ -d "$out" ] || fail "$out is not a folder: choose another one with --out." 73
        [ -z "$(ls -A "$out")" ] || fail "The folder $out is not empty: remove it, or choose another one with --out." 73
        [ -w "$out" ] || fail "The folder $out cannot be written to: choose another one with --out." 73
        return 0
    fi
    mkdir -p "$out" 2>/dev/null || fail "The folder $out cannot be made: choose another one with --out." 73
    # Only when everything is made does it come back.
    rmdir "$out"
}

# check_said PROGRAM: fails unless a program says the version that is released.
check_said() {
    local said
    said=$("$1" --version)
    case "$said" in
        "$version;"*) ;;
        *) fail "The program says '$said', and not $version: the constant in ReleaseText.swift was not built; build it anew." 70 ;;
    esac
}
