#!/bin/sh
# A command with the settings of /etc/giza.env: sudo -u giza deploy/manage.sh createsuperuser
set -eu
cd "$(dirname "$0")/.."
set -a
. /etc/giza.env
set +a
exec .venv/bin/python manage.py "$@"
