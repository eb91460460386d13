#!/bin/bash
# Runs each trainer under `syncsniff run` and prints what the program knew of its steps beside the report.
# usage: all.sh SYNCSNIFF FOLDER MODE NAME...   (mode: windows, full or off); traces are left in FOLDER
syncsniff=$1 folder=$2 mode=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
[ -x "$folder/stalls" ] || nvcc -g -lineinfo -O2 -o "$folder/stalls" "$here/stalls.cu" || exit 2
py="python3 $here"
command_of() {
  case $1 in
    cpp_load) echo "$folder/stalls --steps 3000 --readback --malloc --load-us 500" ;;
    cpp_sleep) echo "$folder/stalls --steps 2000 --sleep-us 400 --log-us 200" ;;
    cpp_launch) echo "$folder/stalls --steps 3000 --kernels 100 --kernel-us 1" ;;
    py_load) echo "$py/stalls.py --load-ms 2 --item --steps 800" ;;
    py_sleep) echo "$py/stalls.py --sleep-ms 3 --log-ms 1 --steps 600" ;;
    py_queue) echo "$py/stalls.py --queue-ms 12 --item --steps 300" ;;
    py_gil) echo "$py/stalls.py --gil-ms 5 --item --steps 300" ;;
    hf) echo "$py/hf_trainer.py 400" ;;
    lightning) echo "$py/lightning_mlp.py 2000" ;;
    accelerate) echo "$py/accelerate_cnn.py 250" ;;
    timm) echo "$py/timm_vit.py 300" ;;
    jax) echo "$py/../jax_train.py --steps 3000" ;;
    graphed) echo "$py/graphed.py" ;;
    cupy) echo "$py/../cupy_train.py" ;;
    loop_*) echo "$py/loops.py ${1#loop_} 400" ;;
    slow_loader) echo "$py/slow_loader.py 250" ;;
    compiled) echo "$py/compiled.py 1500" ;;
    experts) echo "$py/experts.py 400" ;;
    svi) echo "$py/numpyro_svi.py 4000" ;;
    generate) echo "$py/generate.py 120" ;;
    ppo) echo "env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $py/ppo.py 60" ;;
    self_play) echo "$py/self_play.py 12" ;;
    long_steps) echo "$py/long_steps.py 5 5 0.4" ;;
    ddp) echo "torchrun --nproc-per-node 2 $here/ddp.py --steps 600" ;;
    *) echo "all.sh: no trainer is named $1; command_of() in $0 lists them" >&2; return 1 ;;
  esac
}
for name in "$@"; do
  command=$(command_of "$name") || exit 2
  echo "=== $name ($mode): $command"
  base=$folder/$name.$mode
  timeout 120 "$syncsniff" run --timeline="$mode" -o "$base.sstrace" --report-file "$base.txt" -- $command \
    > "$base.out" 2> "$base.err" || tail -n 3 "$base.err"
  grep -h truth "$base.out"
  head -n "${LINES_SHOWN:-40}" "$base.txt"
done
