#!/bin/bash
# Runs each trainer under `syncsniff run` and prints what the program knew of its steps beside the report.
# usage: all.sh SYNCSNIFF FOLDER MODE...   (modes: windows full off); traces are left in FOLDER
syncsniff=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
nvcc -g -lineinfo -O2 -o "$folder/stalls" "$here/stalls.cu" || exit 2
run() {
  name=$1 mode=$2
  shift 2
  echo "=== $name ($mode)"
  timeout 120 "$syncsniff" run --timeline="$mode" -o "$folder/$name.$mode.sstrace" --report-file "$folder/$name.$mode.txt" \
    -- "$@" > "$folder/$name.$mode.out" 2> "$folder/$name.$mode.err" || tail -3 "$folder/$name.$mode.err"
  grep truth "$folder/$name.$mode.out"
  head -${LINES_SHOWN:-40} "$folder/$name.$mode.txt"
}
for mode in "$@"; do
  run stalls_cpp "$mode" "$folder/stalls" --steps 2000 --readback --malloc --load-us 500
  run stalls_py "$mode" python3 "$here/stalls.py" --load-ms 2 --item --steps 800
  run hf "$mode" python3 "$here/hf_trainer.py" 300
  run lightning "$mode" python3 "$here/lightning_mlp.py" 1500
  run accelerate "$mode" python3 "$here/accelerate_cnn.py" 150
  run timm "$mode" python3 "$here/timm_vit.py" 300
  run jax "$mode" python3 "$here/../jax_train.py" --steps 1500
  run cupy "$mode" python3 "$here/../cupy_train.py"
done
