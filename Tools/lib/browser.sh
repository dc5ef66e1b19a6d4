# Drives headless Chromium through chromedriver, as the W3C's WebDriver describes; sourced behind common.sh.

driver=""
driver_process=""
session=""

# Starts the driver and opens a window.
open_browser() {
    local log="$folder/driver.log" port="" options
    # Here and not in the background: who reads it may be the first to look.
    : >"$log"
    chromedriver --port=0 >>"$log" 2>&1 &
    driver_process=$!
    # Only a driver that does not start at all keeps this waiting, for a quarter of a minute.
    for _ in $(seq 150); do
        port=$(sed -n 's/.*successfully on port \([0-9]*\).*/\1/p' "$log")
        [ -z "$port" ] || break
        sleep 0.1
    done
    [ -n "$port" ] || fail "chromedriver did not start; it said: $(cat "$log")" 69
    driver="http://127.0.0.1:$port/session"
    options='"args":["--headless=new","--no-sandbox","--disable-gpu","--disable-dev-shm-usage","--hide-scrollbars"]'
    session=$(curl -sf "$driver" -H 'content-type: application/json' \
        -d "{\"capabilities\":{\"alwaysMatch\":{\"browserName\":\"chrome\",\"goog:chromeOptions\":{$options}}}}" \
        | sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
}

close_browser() {
    [ -z "$session" ] || curl -sf -X DELETE "$driver/$session" >/dev/null || true
    [ -z "$driver_process" ] || kill "$driver_process" 2>/dev/null || true
    driver_process=""
}

# command_browser NAME JSON: sends a command and prints the answer.
command_browser() {
    curl -sf --max-time 60 "$driver/$session/$1" -H 'content-type: application/json' -d "$2" \
        || fail "The browser refused '$1'." 70
}

visit() { command_browser url "{\"url\":\"$1\"}" >/dev/null; }

# resize_browser WIDTH HEIGHT
resize_browser() {
    command_browser goog/cdp/execute \
        "{\"cmd\":\"Emulation.setDeviceMetricsOverride\",\"params\":{\"width\":$1,\"height\":$2,\"deviceScaleFactor\":1,\"mobile\":false}}" >/dev/null
}

# run_in_page SCRIPT: runs statements that hold no double quotation marks.
run_in_page() { command_browser execute/sync "{\"script\":\"$1\",\"args\":[]}" >/dev/null; }

# wait_for SELECTOR: waits until the page has what a selector of CSS names.
wait_for() {
    local script="const done = arguments[0]; const look = () => document.querySelector('$1') ? (observer.disconnect(), done(true)) : null;
        const observer = new MutationObserver(look); observer.observe(document, { subtree: true, childList: true, attributes: true }); look()"
    command_browser execute/async "{\"script\":\"$(printf '%s' "$script" | tr '\n' ' ')\",\"args\":[]}" >/dev/null
}

# take_picture FILE: writes what the window shows as PNG.
take_picture() {
    curl -sf --max-time 60 "$driver/$session/screenshot" | sed 's/.*"value":"\([^"]*\)".*/\1/' | base64 -d >"$1" \
        || fail "The browser took no picture." 70
}
