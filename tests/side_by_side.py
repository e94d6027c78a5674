"""Test cases whose processes mostly sleep, some at a time."""
import concurrent.futures
import sys
import time
import unittest


def cases(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from cases(each)
        else:
            yield each


def main(argv, at_once=3):
    """Like unittest.main() on the calling program, for cases that share nothing. `argv`: names of cases, or all."""
    loader, module = unittest.defaultTestLoader, sys.modules["__main__"]
    suite = loader.loadTestsFromNames(argv, module) if argv else loader.loadTestsFromModule(module)
    began = time.monotonic()

    def run(case):
        result = unittest.TestResult()
        case.run(result)
        return result

    bad = ran = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for result in pool.map(run, cases(suite)):
            ran += result.testsRun
            for case, why in result.skipped:
                skipped += 1
                print(f"skipped: {case}: {why}")
            for case, why in result.failures + result.errors:
                bad += 1
                print(f"FAILED: {case}\n{why}")
    print(f"{ran} tests in {time.monotonic() - began:.1f} s, {at_once} at a time: {bad} failed, {skipped} skipped")
    sys.exit(bad != 0 or ran == 0)
