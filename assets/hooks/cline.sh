#!/bin/sh
# Written by `countersign hook @NAME@ --install`; `--uninstall` takes it away again.
# Every edit is put before a person in countersign before @TITLE@ makes it, and what they approve is what is written.
# @TITLE@ goes on where a hook fails, so this ends its turn where countersign gives no answer. A signal ends countersign, and not this.
trap : HUP INT PIPE QUIT TERM
@COMMAND@ || { echo 'countersign failed: nothing may be written' >&2; printf '\nHOOK_CONTROL\t%s\n' '{"cancel":true,"errorMessage":"countersign failed: nothing may be written"}'; exit 2; }
