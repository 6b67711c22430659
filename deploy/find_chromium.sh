#!/usr/bin/env bash
# Make sure there is a Chromium or Chrome for the browser tests; install Debian's if not.
set -euo pipefail

for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && exit 0
done

explain() {
    echo "The browser tests need Chromium or Chrome, and none was found. Install one, such as:" >&2
    echo "  sudo apt-get install chromium" >&2
    exit 1
}

command -v apt-get >/dev/null || explain
as_root=()
if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || explain
    as_root=(sudo)
fi
echo "Installing Chromium for the browser tests …"
"${as_root[@]}" apt-get update -qq || explain
# The one without windows is quicker; not every release has it.
"${as_root[@]}" apt-get install -y -qq chromium-headless-shell ||
    "${as_root[@]}" apt-get install -y -qq chromium || explain
