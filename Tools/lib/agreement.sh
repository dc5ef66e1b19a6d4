# Lets devices share realms, as they are shipped; sourced behind common.sh.

# build_agreement: builds, in release, what agreement_check starts; the server that both programs start is built with them.
build_agreement() {
    build_product Integration load-simulator release
    build_product Integration event-kill release
}

# agreement_check: lets devices share realms over bad networks for a while, and then kills devices and their server. What was built for
# it is optimised, as apps are. Each run draws its seed and prints it.
agreement_check() {
    local folder
    local -a limit=()
    folder=$(product_folder release)
    # One that waits for ever would take all the time that continuous integration has, and say nothing.
    if command -v timeout >/dev/null; then limit=(timeout --foreground --signal=KILL "$longest_run"); fi
    # Who is away for more than two seconds begins with a snapshot, and has what it did meanwhile.
    if ${limit[@]+"${limit[@]}"} "$folder/load-simulator" realms --devices 24 --realms 4 --rest 0 --seconds 45 \
        --history 2; then
        say "ok devices-agree"
    else
        say "FAILED devices-agree: devices that share a realm do not have the same; the seed is above"
    fi
    if ${limit[@]+"${limit[@]}"} "$folder/event-kill" realms --count 60; then
        say "ok killed-devices-agree"
    else
        say "FAILED killed-devices-agree: something promised is lost, or there twice; the seed is above"
    fi
}
