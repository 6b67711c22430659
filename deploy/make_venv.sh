#!/usr/bin/env bash
# Make a virtual environment with Python 3.11 or newer: deploy/make_venv.sh FOLDER
set -euo pipefail
folder=$1

is_new_enough() {
    command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

can_make() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

# The distribution's own comes first: it is built with profiles, and a fifth faster than one that was
# compiled plainly.
for candidate in /usr/bin/python3.11 python3.11 python3 python3.12 python3.13 python3.14; do
    if is_new_enough "$candidate"; then
        found=${found:-$candidate}
        if can_make "$candidate"; then
            python=$candidate
            break
        fi
    fi
done

if [[ -z ${found:-} ]]; then
    echo "Giza needs Python 3.11 or newer, and none was found. On Debian 12 and Ubuntu 24.04:" >&2
    echo "  sudo apt-get install python3 python3-venv" >&2
    exit 1
fi

if [[ -z ${python:-} ]]; then
    version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "$found cannot make virtual environments yet. On Debian and Ubuntu:" >&2
    echo "  sudo apt-get install python$version-venv" >&2
    exit 1
fi

echo "Making $folder with $("$python" --version) …"
trap 'rm -rf "$folder"' ERR
"$python" -m venv "$folder"
