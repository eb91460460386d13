#!/usr/bin/env bash
# Makes ROOT (packages are unpacked there) a system of its own and runs a command in it. Only what the named programs need
# is let in, by the loader's own list.
# usage: unshare -rm bare_root.sh ROOT [-p PROGRAM]... [-d FOLDER]... -- COMMAND...
# -p: the libraries of PROGRAM; -d: FOLDER as it is
set -euo pipefail
root=$1
shift

declare -A mounted # what is mounted already; empty files and folders are left of earlier runs
let_in() { # FILE or FOLDER, under its own name
  local place=$root$1
  if [ -n "${mounted[$1]:-}" ]; then return; fi
  mounted[$1]=1
  if [ -d "$1" ]; then mkdir -p "$place"; else mkdir -p "$(dirname "$place")" && : >"$place"; fi
  mount --rbind "$1" "$place"
}

libraries_of() { ldd "$1" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^\t\(\/[^ ]*\) (.*/\1/p'; }

for folder in bin lib lib64; do # as distributions lay it out today
  mkdir -p "$root/usr/$folder"
  [ -e "$root/$folder" ] || ln -s "usr/$folder" "$root/$folder"
done
while [ "$1" != -- ]; do
  case $1 in
    -p) for library in $(libraries_of "$2"); do let_in "$library"; done ;;
    -d) let_in "$2" ;;
  esac
  shift 2
done
shift
let_in /bin/sh
for library in $(libraries_of /bin/sh); do let_in "$library"; done
let_in /proc
let_in /dev/null
mkdir -p "$root/tmp"
exec env -i PATH=/usr/bin:/bin HOME=/tmp TMPDIR=/tmp "$(command -v chroot)" "$root" "$@"
