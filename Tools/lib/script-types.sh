# Checks the types of the console's scripts, which no build does: browsers load them as they are.
# Sourced by Tools/lint after common.sh.

# check_script_types FOLDER: checks the project of a folder with a jsconfig.json; prints what is wrong, then one line that counts.
check_script_types() {
    local folder=$1 found
    if ! command -v tsc >/dev/null 2>&1; then
        say "skipped 1 tests: there is no tsc, of Debian's node-typescript, to check the types of the console's scripts with"
        return 0
    fi
    if found=$(tsc --project "$folder/jsconfig.json" --pretty false); then
        say "ok script-types"
    else
        say "$found"
        say "FAILED script-types: what tsc found is above; Packages/AuditServer/Docs/CONSOLE.md says how types are written"
    fi
}
