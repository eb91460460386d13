#!/usr/bin/env bash
# A real pre-commit with our hook: a commit that puts a wait into the sample's loop is refused; without it, it is taken.
# usage: pre_commit_test.sh SOURCE_DIR BIN_DIR      exit 77: skipped, with the reason
set -euo pipefail
SOURCE=$(cd "$1" && pwd)
BIN=$(cd "$2" && pwd)

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "pre_commit_test: $*" >&2; exit 1; }

command -v git >/dev/null || skip "no git here"
if [ ! -x "$BIN/syncsniff" ] || [ ! -x "$BIN/syncsniff-analyzer" ]; then skip "the analyzer is not built"; fi
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

if ! { python3 -m venv "$FOLDER/venv" && "$FOLDER/venv/bin/python" -m pip install -q pre-commit; } >"$FOLDER/pip.log" 2>&1; then
  skip "pip cannot install pre-commit: $(tail -n 1 "$FOLDER/pip.log")"
fi
export PATH=$BIN:$FOLDER/venv/bin:$PATH

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
echo "refused with the wait, taken without it, told of one now and then"
