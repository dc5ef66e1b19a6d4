# The steps of Tools/test: which there are, what each depends on, and what has not changed since it passed; sourced behind common.sh.

# Prints the names of all steps in the order in which they are best run one after the other.
list_steps() {
    local folder
    printf 'lint\n'
    for folder in $(list_manifests); do
        [ "$folder" = . ] || basename "$folder"
    done
    printf '%s\n' sealed release rules agreement facade smoke http exports package picture docs
}

# inner_packages FOLDER: prints a package and all that it depends on in the clone, as paths from the root.
inner_packages() {
    local waiting=$1 seen="" folder inner
    while [ -n "$waiting" ]; do
        folder=${waiting%% *}
        case "$waiting" in *" "*) waiting=${waiting#* } ;; *) waiting="" ;; esac
        case " $seen " in *" $folder "*) continue ;; esac
        seen="$seen $folder"
        for inner in $(sed -n 's/.*package(path: "\([^"]*\)").*/\1/p' "$root/$folder/Package.swift"); do
            inner=$(cd "$root/$folder/$inner" && pwd)
            waiting="$waiting${waiting:+ }${inner#"$root"/}"
        done
    done
    printf '%s\n' $seen
}

# inputs_of STEP [FOLDER]: prints the paths below which lies all that a step looks at.
inputs_of() {
    case "$1" in
        sealed) inner_packages Packages/ObjectStore ;;
        rules) inner_packages Packages/ChangeModel ;;
        release) inner_packages Packages/Daybook; printf 'Integration/Tests\n' ;;
        # A test of the umbrella reads the tests of Integration: the table of scenarios.
        Daybook) inner_packages "$2"; printf 'Integration/Tests\n' ;;
        agreement) inner_packages Integration ;;
        http | exports) inner_packages Packages/AuditServer ;;
        package) inner_packages Packages/AuditServer; printf '%s\n' README.md Packages/CHANGELOG.md Tools/release ;;
        facade | smoke | picture | docs) printf '%s\n' Packages Integration Package.swift README.md Tools ;;
        *) inner_packages "$2" ;;
    esac
    # What runs the tests, and the scripts that some of them start.
    printf '%s\n' Tools/test Tools/lib Tools/versions.txt
}

# state_of STEP [FOLDER]: prints what says whether a step would see anything new: its files, the toolchain and the system.
state_of() {
    local -a paths=()
    local path files
    while IFS= read -r path; do paths+=("$path"); done < <(inputs_of "$@")
    files=$(cd "$root" && git ls-files --cached --others --exclude-standard -- "${paths[@]}" | sort -u | while IFS= read -r path; do
        if [ -f "$path" ]; then printf '%s\n' "$path"; fi
    done)
    {
        printf '%s\n' "$files"
        printf '%s\n' "$files" | git -C "$root" hash-object --stdin-paths
        swift --version 2>/dev/null
        uname -srm
    } | cksum
}

# passed_before STEP STATE: prints how many checks of a step passed in this state; fails if it did not.
passed_before() {
    local stamp="$packages_scratch/passed/$1"
    [ "$run_all" = no ] && [ -e "$stamp" ] && [ "$(sed -n 1p "$stamp")" = "$2" ] && sed -n 2p "$stamp"
}

# note_passed STEP STATE COUNT LOG: remembers that a step passed, unless it left something out.
note_passed() {
    mkdir -p "$packages_scratch/passed"
    if grep -qE '^skipped [0-9]+ tests' "$4"; then return 0; fi
    printf '%s\n%s\n' "$2" "$3" >"$packages_scratch/passed/$1"
}
