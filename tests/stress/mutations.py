#!/usr/bin/env python3
"""Throws damaged inputs of every kind at the built programs and counts what came of it; exit status 1 when any count is bad.

Too long for ctest: 300 sources take seven minutes on two busy cores. The same --seed and --count give the same inputs.
"""
import argparse
import concurrent.futures
import os
import random
import shutil
import signal
import sys
import tempfile

import cache
import corpus
import databases
import runner
import sources
import tables
import traces
import witnesses

KINDS = {"sources": sources.Sources, "databases": databases.Databases, "traces": traces.Traces, "cache": cache.Cache,
         "yaml": tables.Tables, "corpus": corpus.Corpus}


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = sources.ROOT
    parser.add_argument("--syncsniff", default=str(root / "build/bin/syncsniff"), metavar="PATH")
    parser.add_argument("--only", choices=sorted(KINDS), action="append", help="repeatable; default: all but corpus")
    parser.add_argument("--count", type=int, default=200, help="inputs of each kind (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="append", default=[], metavar="DIR",
                        help="more sources to mutate; with --only corpus, files to read as they are, with and without headers")
    parser.add_argument("--keep", metavar="DIR", help="folder for the inputs that failed (default: a new one in /tmp)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once (default: %(default)s, one a core)")
    # `check` gives a unit up after 60 s of processor time or 120 s by the clock, and linking and checking the same.
    parser.add_argument("--source-seconds", type=float, default=260, help="bound of a run for each unit (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="bound of every other run (default %(default)s)")
    parser.add_argument("--source-megabytes", type=int, default=4500, help="resident, for a unit read (default %(default)s)")
    parser.add_argument("--megabytes", type=int, default=1500, help="resident, of every other run (default %(default)s)")
    options = parser.parse_args(arguments)
    options.syncsniff = os.path.abspath(options.syncsniff)
    options.corpus = [os.path.abspath(folder) for folder in options.corpus]
    if not os.access(options.syncsniff, os.X_OK):
        parser.error(f"{options.syncsniff}: no such program; build it, or give --syncsniff PATH")
    return options


def run_kind(kind, options, folder):
    tally = runner.Tally(kind, options.keep)
    maker = KINDS[kind](options, tally)
    at_once = 1 if kind == "sources" else options.jobs  # a batch of sources has its own workers
    # A generator of its own for each kind: --only one gives what all together give.
    jobs = maker.jobs(random.Random(f"{options.seed} {kind}"), options.count, folder)
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        waiting = set()
        for job in jobs:  # made as they are taken, so that thousands of inputs do not lie about
            waiting.add(pool.submit(job))
            if len(waiting) > 2 * at_once:
                done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    future.result()
        for future in waiting:
            future.result()
    tally.print()
    return tally


def stop_on_signals(folder):
    def stop(number, _frame):
        runner.stop()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def main(arguments):
    options = parse(arguments)
    options.keep = os.path.abspath(options.keep or tempfile.mkdtemp(prefix="syncsniff-mutations-"))
    kinds = options.only or [kind for kind in KINDS if kind != "corpus"]
    tallies = []
    with tempfile.TemporaryDirectory(prefix="syncsniff-stress-") as folder:
        folder = os.path.realpath(folder)
        stop_on_signals(folder)
        witnesses.prepare(options, folder)
        for kind in kinds:
            where = os.path.join(folder, kind)
            os.makedirs(where)
            tallies.append(run_kind(kind, options, where))
    failed = any(tally.failed() for tally in tallies)
    print(f"seed {options.seed}, {options.count} inputs a kind: {'FAILED; the inputs are in ' + options.keep if failed else 'all as it should be'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
