#!/usr/bin/env bash
# From a fresh machine to a first report: installs what is missing, builds, checks the sample, runs or reports it.
# usage: scripts/quickstart.sh [--install-only]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SAMPLE=$ROOT/samples/mlp_cuda
WORK=$BUILD/sample

check_sample() {
  say "syncsniff check: what will stall the GPU in samples/mlp_cuda/bad"
  "$ROOT/scripts/sample-db" "$WORK" bad
  local status=0
  "$BUILD/bin/syncsniff" check -p "$WORK" || status=$?
  if [ "$status" -gt 1 ]; then fail "syncsniff check ended with $status; see above"; fi
  "$BUILD/bin/syncsniff" check -p "$WORK" --format=json >"$WORK/findings.json" || true
}

has_gpu() { { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; } || [ -e /dev/nvidia0 ]; }

run_sample() {
  local findings=() train=$BUILD/samples/mlp_cuda/train.bad
  if [ -s "$WORK/findings.json" ]; then findings=(--findings "$WORK/findings.json"); fi
  say "syncsniff run: what it costs on this machine's GPU"
  "$BUILD/bin/syncsniff" run "${findings[@]}" -o "$WORK/train.sstrace" -- "$train" --steps 200
}

report_recorded() {
  local traces=("$SAMPLE"/recorded/*.sstrace) findings=()
  if [ ! -e "${traces[0]}" ]; then
    say "no GPU to run the sample on, and samples/mlp_cuda/recorded holds no trace to report on: that is all here"
    return
  fi
  if [ -s "$SAMPLE/recorded/findings.json" ]; then findings=(--findings "$SAMPLE/recorded/findings.json"); fi
  say "syncsniff report: the same program, as it was recorded on a GPU"
  "$BUILD/bin/syncsniff" report "${findings[@]}" "${traces[0]}"
}

case ${1:-} in
  "" | --install-only) ;;
  *) fail "$1: no such option; usage: scripts/quickstart.sh [--install-only]" ;;
esac
install_packages
use_cuda
if [ "${1:-}" = --install-only ]; then exit 0; fi
options=()
if [ ! -e "$BUILD/CMakeCache.txt" ]; then options=(-DSYNCSNIFF_TESTS=OFF); fi
build_project "${options[@]}"
if [ "$PRESET" = dev ]; then check_sample; fi
if has_gpu && [ -x "$BUILD/samples/mlp_cuda/train.bad" ]; then run_sample; else report_recorded; fi
say "done; the program is ${BUILD#"$ROOT"/}/bin/syncsniff"
