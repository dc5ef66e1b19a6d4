# Compiles anew what the compiler does not see that it has to. Needs `root`, and `scratch` or `packages_scratch`.

# A file that sees a module only because another one hands it on (`@_exported import`) is not compiled again when the layout of a
# struct there changes: Swift 6.3 looks at the module that the file names. The old object is linked, and reads and writes beside
# the fields. So when a module that is handed on has changed, all who import the one that hands it on lose their objects.
forget_objects_behind_reexports() {
    local exporter module file target sum stamp build=${scratch:-$packages_scratch}
    for file in $(grep -rl --include='*Exports.swift' '^@_exported ' "$root/Packages"); do
        exporter=${file%/*}
        exporter=${exporter##*/}
        stamp="$build/reexports/$exporter"
        sum=$(
            for module in "$exporter" $(sed -n 's/^@_exported .*import //p' "$file"); do
                if [ -d "$root/Packages/$module/Sources" ]; then
                    find "$root/Packages/$module/Sources" -name '*.swift' -exec cat {} +
                fi
            done | cksum
        )
        if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ]; then continue; fi
        for target in $(targets_that_import "$exporter"); do
            rm -f "$build"/*/{debug,release}/"$target.build"/*.o "$build"/*/{debug,release}/"$target.build"/*.priors
        done
        mkdir -p "$build/reexports"
        printf '%s\n' "$sum" >"$stamp"
    done
}

# targets_that_import MODULE: prints the names of all targets below Packages and Integration with a file that imports it, as
# folders below Sources and Tests are named; SwiftPM names their objects' folders so, with `_` for `-`.
targets_that_import() {
    (cd "$root" && grep -rlE --include='*.swift' "^(@[a-z]+ )*([a-z]+ )?import $1\$" Packages Integration) \
        | sed -nE 's#^(.*/)?(Sources|Tests)/([^/]*)/.*#\3#p' | tr - _ | sort -u
}
