"""Drives the page against a running server.

python Tests/Browser/run.py --base URL --links FILE.json [--shots FOLDER] [--restart COMMAND] [--only NAME]
"""
import argparse
import json
import sys
import time
import traceback

from browser import Errors, chromium
from checks import CHECKS
from doors import take_door_shots
from shots import DOCUMENTATION, set_scene, take_shots


def arguments():
    parser = argparse.ArgumentParser(description="Browser checks of the Yonder page.")
    parser.add_argument("--base", help="address of the server; default: the one in the links file")
    parser.add_argument("--links", required=True, help="JSON with base, you, friend, walker")
    parser.add_argument("--shots", help="folder for screenshots")
    parser.add_argument("--documentation", metavar="FOLDER", help="only the pictures of the documentation, of a fresh server")
    parser.add_argument("--restart", help="shell command that stops and starts the server")
    parser.add_argument("--only", help="run only checks whose name contains this")
    return parser.parse_args()


def read_links(options):
    with open(options.links, encoding="utf-8") as file:
        links = json.load(file)
    base = (options.base or links["base"]).rstrip("/")
    return {name: url.replace(links["base"].rstrip("/"), base, 1) for name, url in links.items()}


def run_check(check, browser, links, errors, options):
    started = time.monotonic()
    known = len(errors.seen)
    try:
        note = check(browser, links, errors, options)
        assert len(errors.seen) == known, f"console: {errors.seen[known:]}"
    except Exception:
        traceback.print_exc()
        note = "FAILED"
    print(f"{'✘' if note == 'FAILED' else '✔'} {check.__name__.replace('_', ' ')} "
          f"({time.monotonic() - started:.1f} s){f' – {note}' if note else ''}", flush=True)
    return note != "FAILED"


def main():
    options = arguments()
    links = read_links(options)
    errors = Errors()
    with chromium() as browser:
        if options.documentation:
            set_scene(links)
            take_shots(browser, links, errors, options.documentation, scale=2, names=DOCUMENTATION)
            sys.exit(1 if errors.seen else 0)
        chosen = [check for check in CHECKS if not options.only or options.only in check.__name__]
        results = [run_check(check, browser, links, errors, options) for check in chosen]
        if options.shots:
            written = take_shots(browser, links, errors, options.shots)
            for path in written + take_door_shots(browser, links, errors, options.shots):
                print(path)
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
