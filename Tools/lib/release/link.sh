# Links the programs of a release once more, with the standard library in them; sourced behind common.sh.

# What of the toolchain a program carries in itself. The C libraries that it asks the system for come behind --as-needed: daybook-verify
# opens no database.
static_libraries=(-lFoundationNetworking -lFoundation -lFoundationInternationalization -lFoundationEssentials -lCoreFoundation
    -l_FoundationICU -l_FoundationCShims -l_FoundationCollections -l_CFURLSessionInterface)

# build_programs: builds both programs in release, as they are tested.
build_programs() {
    build_product Packages/AuditServer daybook release
    build_product Packages/AuditServer daybook-verify release
}

# link_program NAME OUT: links what build_programs compiled from SwiftPM's own list of objects, and strips it.
#
# A second build with --static-swift-stdlib would compile everything again. What no code reaches is left out, as is the search path of the
# build; the table of addresses is read-only once the program has begun.
link_program() {
    local name=$1 out=$2 folder said status=0
    folder=$(product_folder release)
    said=$(swiftc -static-stdlib -use-ld=lld -emit-executable -o "$out.linked" "@$folder/$name.product/Objects.LinkFileList" -L "$folder" \
        "${static_libraries[@]}" -Xlinker --as-needed -Xlinker -lsqlite3 -Xlinker -lpq -Xlinker -lz -Xlinker -l:libcurl.so.4 \
        -Xlinker "--defsym=main=${name//-/_}_main" -Xlinker --gc-sections -Xlinker -z -Xlinker nostart-stop-gc \
        -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro 2>&1) || status=$?
    if [ "$status" != 0 ]; then
        warn "$said"
        fail "$name cannot be linked with the standard library in it; the errors are above." 70
    fi
    strip -o "$out" "$out.linked"
    rm "$out.linked"
}

# check_linked FILE: fails with a sentence for a program that needs what no user has, or that is easier to attack than it has to be.
check_linked() {
    local dynamic needed
    dynamic=$(readelf -dW "$1") || { warn "$1 is no program."; return 1; }
    needed=$(printf '%s\n' "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' \
        | grep -E '^lib(swift|_?Foundation|dispatch|BlocksRuntime|_?Testing|XCTest)' | tr '\n' ' ' || true)
    if [ -n "$needed" ]; then
        warn "${1##*/} needs ${needed% } of the toolchain, which users do not have: link it with -static-stdlib."
        return 1
    fi
    if printf '%s\n' "$dynamic" | grep -E '\((RPATH|RUNPATH)\)' >/dev/null; then
        warn "${1##*/} looks for libraries in a folder of the machine that it was built on: link it without -rpath."
        return 1
    fi
    if ! printf '%s\n' "$dynamic" | grep -E 'FLAGS_1.*NOW' >/dev/null || ! printf '%s\n' "$dynamic" | grep -E 'FLAGS_1.*PIE' >/dev/null; then
        warn "${1##*/} is not linked as a program that can lie anywhere and whose addresses are fixed at its start: link it with -pie and -z now."
        return 1
    fi
    if readelf -lW "$1" | grep -E 'GNU_STACK.*RWE' >/dev/null; then
        warn "${1##*/} has a stack that can be executed: one of its objects asks for it."
        return 1
    fi
}
