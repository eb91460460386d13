#!/bin/bash
# Kills a program with SIGKILL at many moments under `syncsniff run`; each time the trace must give a report.
# usage: [SPAN=SECONDS] [AT_ONCE=10] killed_anywhere.sh SYNCSNIFF FOLDER MOMENTS COMMAND...    Exit: 0 all reports stand, 1 not
# The moments are spread over SPAN (2.6 s; PyTorch needs 4 s until its first launch, more where several start at once).
span=${SPAN:-2.6} at_once=${AT_ONCE:-10}
syncsniff=$1 folder=$2 moments=$3
shift 3
mkdir -p "$folder"
one() {
  local i=$1 trace=$folder/$1.sstrace
  shift
  rm -f "$trace"
  "$syncsniff" run -q -o "$trace" -- "$@" > /dev/null 2> "$folder/$i.err" &
  local launcher=$! child=""
  sleep "$(awk -v i="$i" -v n="$moments" -v span="$span" 'BEGIN { printf "%.3f", 0.15 + span * i / n }')"
  child=$(pgrep -P "$launcher" | tail -n 1)
  [ -n "$child" ] && kill -9 "$child" 2> /dev/null
  wait "$launcher"
  local ended=$?
  [ -s "$trace" ] || { echo "$i: killed before there was a trace (exit $ended)"; return 0; }
  "$syncsniff" report "$trace" > "$folder/$i.txt" 2>> "$folder/$i.err"
  local status=$?
  [ "$status" -le 1 ] && [ "$ended" -eq 137 -o "$ended" -eq 0 ] || { echo "$i: BAD run $ended report $status $(tail -n 1 "$folder/$i.err")"; return 1; }
  rm -f "$trace"
}
bad=0
for ((i = 0; i < moments; i += at_once)); do
  pids=()
  for ((j = i; j < i + at_once && j < moments; ++j)); do one "$j" "$@" & pids+=($!); done
  for pid in "${pids[@]}"; do wait "$pid" || bad=$((bad + 1)); done
done
echo "killed at $moments moments: $bad bad; $(grep -l 'GPU 0 busy' "$folder"/*.txt 2> /dev/null | wc -l) reports with a busy share"
[ "$bad" -eq 0 ]
