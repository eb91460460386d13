#!/usr/bin/env bash
# A real pre-commit with our hook: a commit that puts a wait into the sample's loop is refused; without it, it is taken.
# usage: pre_commit_test.sh SOURCE_DIR BIN_DIR [VENV]      exit 77: skipped, with the reason
# VENV: a Python environment that has pre-commit; without it one is made.
set -euo pipefail
SOURCE=$(cd "$1" && pwd)
BIN=$(cd "$2" && pwd)
VENV=${3:-}

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "pre_commit_test: $*" >&2; exit 1; }

command -v git >/dev/null || skip "no git here"
if [ ! -x "$BIN/syncsniff" ] || ! "$BIN/syncsniff" check --help >/dev/null 2>&1; then skip "the analyzer is not built"; fi
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
export HOME=$FOLDER/home PRE_COMMIT_HOME=$FOLDER/cache XDG_CACHE_HOME=$FOLDER/cache
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$FOLDER/gitconfig
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
mkdir "$HOME"
git config --global user.name tester
git config --global user.email tester@example.invalid
git config --global init.defaultBranch main
git config --global protocol.file.allow always

if [ -z "$VENV" ]; then
  VENV=$FOLDER/venv
  if ! { python3 -m venv "$VENV" && "$VENV/bin/python" -m pip install -q pre-commit; } >"$FOLDER/pip.log" 2>&1; then
    skip "pip cannot install pre-commit: $(tail -n 1 "$FOLDER/pip.log")"
  fi
fi
export PATH=$BIN:$VENV/bin:$PATH

# Our repository as pre-commit sees it: it reads .pre-commit-hooks.yaml at a revision.
git init -q "$FOLDER/syncsniff"
cp "$SOURCE/.pre-commit-hooks.yaml" "$FOLDER/syncsniff/"
git -C "$FOLDER/syncsniff" add .
git -C "$FOLDER/syncsniff" commit -q -m hooks
REVISION=$(git -C "$FOLDER/syncsniff" rev-parse HEAD)

# The user's repository: the repaired sample, with a compile database in build/ where it is looked for.
REPO=$FOLDER/repo
mkdir -p "$REPO/scripts" "$REPO/samples" "$REPO/runtime/kernels"
cp -r "$SOURCE/samples/mlp_cuda" "$REPO/samples/"
cp -r "$SOURCE/runtime/kernels/include" "$REPO/runtime/kernels/"
cp "$SOURCE/scripts/sample-db" "$REPO/scripts/"
cd "$REPO"
scripts/sample-db build good
echo /build/ >.gitignore
cat >.pre-commit-config.yaml <<YAML
repos:
- repo: file://$FOLDER/syncsniff
  rev: $REVISION
  hooks:
  - id: syncsniff
YAML
git init -q .
git add .
git commit -q -m "the sample"
pre-commit install >/dev/null

LOOP=samples/mlp_cuda/good/train.cu
ANCHOR='log_.push(step, result, stream_);'
grep -qF "$ANCHOR" "$LOOP" || fail "$LOOP has no line '$ANCHOR' to put the wait after"

echo "== a commit with a wait in the loop"
sed -i "s|^\( *\)$ANCHOR|&\n\1CUDA_CHECK(cudaStreamSynchronize(stream_));|" "$LOOP"
git add "$LOOP"
if git commit -q -m "wait for the step" >"$FOLDER/refused.log" 2>&1; then
  cat "$FOLDER/refused.log"
  fail "the commit with a wait in the loop was taken"
fi
cat "$FOLDER/refused.log"
grep -q 'sync-in-loop' "$FOLDER/refused.log" || fail "refused, but not for sync-in-loop"
grep -q 'train\.cu:[0-9]' "$FOLDER/refused.log" || fail "the refusal names no line"

echo "== the same commit once the wait is out"
sed -i '/CUDA_CHECK(cudaStreamSynchronize(stream_));$/{/drain/!d}' "$LOOP"
sed -i "s|^\( *\)$ANCHOR|\1// Read back some steps late.\n&|" "$LOOP"
git add "$LOOP"
git commit -q -m "say why" || fail "the commit without the wait was refused"
[ "$(git rev-list --count HEAD)" = 2 ] || fail "the second commit is not there"
echo "== a wait now and then"
sed -i "s|^\( *\)$ANCHOR|&\n\1if (step % 5 == 0) CUDA_CHECK(cudaStreamSynchronize(stream_));|" "$LOOP"
git add "$LOOP"
git commit -q -m "wait now and then" >"$FOLDER/taken.log" 2>&1 || fail "a wait every fifth step was refused"
cat "$FOLDER/taken.log"
grep -q 'sync-in-loop.*(medium)' "$FOLDER/taken.log" || fail "the wait every fifth step is not told"
echo "== staged lines: a wait that is there already, in a file that is touched"
sed -i "s|^\( *\)$ANCHOR|&\n\1CUDA_CHECK(cudaStreamSynchronize(stream_));|" "$LOOP"
sed -i 's/id: syncsniff$/id: syncsniff-staged/' .pre-commit-config.yaml
git add "$LOOP" .pre-commit-config.yaml
git commit -q --no-verify -m "an old wait"
sed -i "s|// Read back some steps late.|// Read back some steps late, for the log.|" "$LOOP"
git add "$LOOP"
git commit -q -m "a comment" >"$FOLDER/touched.log" 2>&1 || { cat "$FOLDER/touched.log"; fail "an old wait refused a comment"; }
echo "== staged lines: a partly staged file is judged by what is staged"
sed -i "s|^\( *\)$ANCHOR|&\n\1CUDA_CHECK(cudaDeviceSynchronize());|" "$LOOP"
cp "$LOOP" "$FOLDER/waiting.cu"
git show "HEAD:$LOOP" >"$LOOP"
git commit -q --allow-empty -m "nothing" || fail "what is not there was refused"
cp "$FOLDER/waiting.cu" "$LOOP"
git add "$LOOP"
git show "HEAD:$LOOP" >"$LOOP"
if git commit -q -m "the wait is staged, and gone from the file" >"$FOLDER/partly.log" 2>&1; then
  fail "a staged wait was taken because the file no longer has it"
fi
cat "$FOLDER/partly.log"
grep -q 'cudaDeviceSynchronize' "$FOLDER/partly.log" || fail "refused, but not for the staged wait"
git reset -q
echo "== a header that nobody touched, and a new call of the old function in it that waits"
cat >samples/mlp_cuda/good/peek.h <<'CUDA'
#pragma once
#include <cuda_runtime.h>
__global__ void scale(float* x, float by);
inline float peek(float* device, float* host) {
  scale<<<1, 1>>>(device, 2);
  cudaMemcpy(host, device, 4096, cudaMemcpyDeviceToHost);
  return *host;
}
CUDA
cat >samples/mlp_cuda/good/first.cu <<'CUDA'
#include "peek.h"
float first(float* x, float* host, int steps) {
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    scale<<<1, 1>>>(x, 1);
    sum += peek(x, host);
  }
  return sum;
}
CUDA
grep -v 'sum += ' samples/mlp_cuda/good/first.cu | sed 's/first/second/' >samples/mlp_cuda/good/second.cu
for hook in syncsniff syncsniff-staged; do
  echo "== $hook"
  git reset -q --hard
  cat >.pre-commit-config.yaml <<YAML
repos:
- repo: file://$FOLDER/syncsniff
  rev: $REVISION
  hooks:
  - id: $hook
    args: [--fail-level=medium, --baseline, baseline.json]
YAML
  git add samples .pre-commit-config.yaml
  syncsniff check --format=json -o baseline.json samples/mlp_cuda/good/*.cu samples/mlp_cuda/good/*.h 2>/dev/null || true
  grep -q 'peek\.h' baseline.json || fail "the baseline does not know peek.h"
  git add baseline.json
  git commit -q --no-verify -m "a function that waits, its caller, a baseline"
  sed -i 's/^float second/\/\/ No wait here.\n&/' samples/mlp_cuda/good/second.cu
  git add samples
  git commit -q -m "a comment" >"$FOLDER/comment.log" 2>&1 || { cat "$FOLDER/comment.log"; fail "an untouched header refused a commit"; }
  grep -q 'peek\.h' "$FOLDER/comment.log" && fail "an untouched header is told"
  sed -i 's/^    scale<<<1, 1>>>(x, 1);/&\n    sum += peek(x, host);/' samples/mlp_cuda/good/second.cu
  git add samples
  if git commit -q -m "one more call" >"$FOLDER/call.log" 2>&1; then
    cat "$FOLDER/call.log"
    fail "a new call of an old function that waits was taken"
  fi
  cat "$FOLDER/call.log"
  grep -q "second\.cu:[0-9]*:[0-9]*: note: calls 'peek'" "$FOLDER/call.log" || fail "the refusal does not name the new call"
  git checkout -q -f HEAD~1 -- samples
done
echo "refused with the wait, taken without it, told of one now and then; by lines, and by calls"
