#!/bin/sh
# Copies the photos of today into a folder with its date.
set -eu

from=${1:?usage: photos.sh FOLDER}
to="$HOME/photos/$(date +%F)"

mkdir -p "$to"
cp -n "$from"/*.jpg "$to"
