# Writes down what the programs are made of; sourced behind debian.sh.

# debian_versions DEPENDS: prints the packages that the programs were linked with, and the versions of them that this machine has.
debian_versions() {
    local name
    for name in $(bare_names "$1" | tr ',' ' '); do
        dpkg-query -W -f '${Package}=${Version}\n' "$name" 2>/dev/null | head -n 1 || true
    done | LC_ALL=C sort -u
}

# write_bill PROGRAMS DEPENDS DOCS OUT: writes the SPDX document, a copy of it for the package, and the texts of the licences there.
write_bill() {
    local programs=$1 depends=$2 docs=$3 out=$4 server=Packages/AuditServer folder name text
    local -a debian=()
    folder=$(product_folder release)
    while IFS= read -r name; do debian+=(--debian "$name"); done < <(debian_versions "$depends")
    python3 "$release_files/bill.py" --root "$root" --checkouts "$release_scratch/checkouts" \
        --resolved "$root/$server/Package.resolved" --version "$version" --commit "$commit" --epoch "$epoch" \
        --swift "$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1)" \
        --program usr/bin/daybook "$programs/daybook" "$folder/daybook.product/Objects.LinkFileList" \
        --program usr/bin/daybook-verify "$programs/daybook-verify" "$folder/daybook-verify.product/Objects.LinkFileList" \
        ${debian[@]+"${debian[@]}"} --licences "$docs/licences" --out "$out" \
        || fail "What the programs are made of cannot be written down; the reason is above." 70
    # The licence of the toolchain lies beside its compiler.
    text="$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt"
    if [ -e "$text" ]; then install -m 644 "$text" "$docs/licences/swift.LICENSE.txt"; fi
    install -m 644 "$out" "$docs/daybook.spdx.json"
    chmod -R u=rwX,go=rX "$docs"
}
