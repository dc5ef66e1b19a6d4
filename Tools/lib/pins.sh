# Which versions of other people's libraries the house is built with; sourced by common.sh. Needs `root`.
#
# Tools/versions.txt names them, also those that libraries bring along, once for all nested packages: they share a scratch folder.
# A Package.resolved could not be committed instead: it names commits, too, and where libraries come from a mirror with a history of
# its own these are others. So each is made here, from versions alone; SwiftPM adds the commits that it finds. Root is left free:
# the facade is built with the newest versions that its users would get.

versions_file="$root/Tools/versions.txt"

# resolved_versions FILE: prints what a Package.resolved pins, a line for each: address and version.
resolved_versions() {
    awk -F '"' '$2 == "location" { address = $4 } $2 == "version" && NF > 3 { print address, $4 }' "$1" | sort
}

# differing_versions PACKAGE: prints what SwiftPM chose for a package otherwise than the list says.
differing_versions() {
    [ -e "$root/$1/Package.resolved" ] || return 0
    resolved_versions "$root/$1/Package.resolved" | grep -vxFf "$versions_file" || true
}

# pin_versions PACKAGE: has SwiftPM take the versions of the list for a package, unless it does so already.
pin_versions() {
    local resolved="$root/$1/Package.resolved"
    grep -q 'package(url:' "$root/$1/Package.swift" || return 0
    if [ -e "$resolved" ] && [ -z "$(differing_versions "$1")" ]; then return 0; fi
    awk '
        BEGIN { print "{\n  \"pins\" : [" }
        NF == 2 && !/^#/ {
            identity = $1; sub(/.*\//, "", identity); sub(/\.git$/, "", identity)
            printf "%s    { \"identity\" : \"%s\", \"kind\" : \"remoteSourceControl\", \"location\" : \"%s\",", \
                separator, tolower(identity), $1
            printf " \"state\" : { \"version\" : \"%s\" } }", $2
            separator = ",\n"
        }
        END { print "\n  ],\n  \"version\" : 3\n}" }
    ' "$versions_file" >"$resolved"
}

# check_versions PACKAGE: fails with a sentence when SwiftPM built a package with other versions than the list has.
check_versions() {
    local differing
    differing=$(differing_versions "$1")
    [ -n "$differing" ] || return 0
    say "FAILED pins: $1 was built with versions that Tools/versions.txt does not have; Tools/pin writes it anew."
    printf '%s\n' "$differing" | sed 's/^/    /'
    return 1
}

# Resolves the libraries of all nested packages, if a manifest or the list has changed, the package with all of them last.
#
# SwiftPM removes from a scratch folder what the package that it resolves does not need; the next one gets it back as new files, and
# compiles all of it again. A package that was resolved before is only built, and leaves the files alone.
resolve_packages() {
    local stamp="$packages_scratch/resolved" state folder
    state=$(cd "$root" && cat $(list_manifests | grep -vxF . | sed 's#$#/Package.swift#') "$versions_file" | cksum)
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$state" ]; then return 0; fi
    for folder in $(list_manifests | grep -vxF -e . -e Integration) Integration; do
        grep -q 'package(url:' "$root/$folder/Package.swift" || continue
        pin_versions "$folder"
        swift package resolve --package-path "$root/$folder" --scratch-path "$packages_scratch" || return 1
    done
    mkdir -p "$packages_scratch"
    printf '%s\n' "$state" >"$stamp"
}
