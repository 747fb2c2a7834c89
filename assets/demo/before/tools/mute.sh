#!/bin/sh
# Stops the worker for the night. Called by cron at 22:00;
# `mute.sh off` at 07:00 starts it again.
set -eu

pidfile=${PIDFILE:-/run/pigeon/worker.pid}

case ${1:-on} in
    on)  kill -STOP "$(cat "$pidfile")" ;;
    off) kill -CONT "$(cat "$pidfile")" ;;
    *)   echo "usage: mute.sh [on|off]" >&2; exit 2 ;;
esac
