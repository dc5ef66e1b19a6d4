#!/bin/sh
# What an operator does with the package where systemd runs; the only program of a Debian that is started for it, as root.
# Prints `ok NAME` and `FAILED NAME: REASON`, and shuts the machine down.

holds() {
    name=$1 reason=$2
    shift 2
    if "$@" >/run/said 2>&1; then
        echo "ok $name"
    else
        tail -n 12 /run/said | sed 's/^/    /'
        echo "FAILED $name: $reason"
    fi
}

# The server is asked as its administrator, until it answers.
answers() {
    left=60
    until daybook token list --server "$1" --token-file /var/lib/daybook/administrator.token; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { systemctl status --no-pager daybook; return 1; }
        sleep 1
    done
}

process() { systemctl show --property MainPID --value daybook; }

# What the process may do, by the system itself.
bounded() {
    status=/proc/$(process)/status
    grep -E '^(Uid|CapBnd|NoNewPrivs|Seccomp):' "$status"
    grep -E '^CapBnd:[[:space:]]+0+$' "$status" && grep -E '^NoNewPrivs:[[:space:]]+1$' "$status" \
        && grep -E '^Seccomp:[[:space:]]+2$' "$status" && ! grep -E '^Uid:[[:space:]]+0' "$status"
}

# As INSTALL.md says it.
as_daybook() {
    systemd-run --quiet --pipe --wait -p DynamicUser=yes -p User=daybook -p StateDirectory=daybook -p StateDirectoryMode=0700 \
        -p UMask=0077 "$@"
}

private() { [ "$(stat -c %a /var/lib/private/daybook)" = 700 ] && [ -z "$(find /var/lib/private/daybook -perm /077)" ]; }

trial() {
    holds unit-installed "dpkg cannot install it" dpkg -i /srv/first.deb
    holds unit-waits-for-the-operator "it was started, or will be, though nobody asked for it" \
        sh -c '! systemctl is-active daybook && ! systemctl is-enabled daybook'
    cp /srv/daybook.env /etc/daybook/daybook.env
    holds unit-started "systemctl cannot start it" systemctl enable --now daybook
    holds unit-answers "the server does not answer" answers "http://127.0.0.1:$1"
    holds unit-is-bounded "the process may do more than the unit says" bounded
    holds unit-keeps-private "others may read what the server keeps" private
    holds unit-journal "the journal has what the server does not say elsewhere" \
        sh -c '! journalctl --no-pager --output cat -u daybook _COMM=daybook | grep -vE "^(listening on|receipts are|exports are|ok |Failed to set thread priority)"'
    holds unit-folder-commands "a command on the folder fails as INSTALL.md says it" \
        as_daybook daybook backup --data /var/lib/daybook --out /var/lib/daybook/backup-1
    holds unit-keeps-private-after-commands "others may read what the server keeps" private

    before=$(process)
    holds unit-upgraded "dpkg cannot upgrade it" dpkg -i /srv/next.deb
    holds unit-started-again "the old program still runs after the upgrade" test "$(process)" != "$before"
    holds unit-answers-again "the server does not answer" answers "http://127.0.0.1:$1"

    # TLS, as INSTALL.md says it.
    install -d -m 700 /etc/daybook/tls
    cp /srv/chain.pem /srv/key.pem /etc/daybook/tls/
    chmod 600 /etc/daybook/tls/key.pem
    mkdir -p /etc/systemd/system/daybook.service.d
    printf '[Service]\nLoadCredential=chain.pem:/etc/daybook/tls/chain.pem\nLoadCredential=key.pem:/etc/daybook/tls/key.pem\n' \
        >/etc/systemd/system/daybook.service.d/tls.conf
    credentials=/run/credentials/daybook.service
    echo "DAYBOOK_OPTIONS=\"--port $1 --app ward-app --tls-certificate $credentials/chain.pem --tls-key $credentials/key.pem\"" \
        >/etc/daybook/daybook.env
    holds unit-restarted "systemctl cannot start it again" sh -c 'systemctl daemon-reload && systemctl restart daybook'
    holds unit-has-its-key "the server does not listen with TLS" listens_with_tls

    holds unit-removed "dpkg cannot remove it" dpkg --remove daybook
    holds unit-stopped "it still runs, or will" sh -c '! systemctl is-active daybook && ! ls /etc/systemd/system/*.wants/daybook.service'
    holds unit-purged "dpkg cannot purge it" dpkg --purge daybook
    holds unit-purge-keeps-events "the events are gone" test -s /var/lib/private/daybook/events.sqlite
}

listens_with_tls() {
    left=60
    until journalctl --no-pager -u daybook | grep -F "listening on https://"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { journalctl --no-pager -u daybook | tail -n 12; return 1; }
        sleep 1
    done
}

trial "$(cat /srv/port)" >/srv/said
sync
systemctl poweroff --force
