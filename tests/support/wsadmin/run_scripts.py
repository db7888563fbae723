"""Runs scripts one after another, each on an export: run_scripts.py JOBS RESULTS, both JSON.

A job has ``export``, the folder with the export, and ``script``; where it has ``base``, the configuration there is
first copied over that of the export. A result has ``code``, which wsadmin would end with, ``output``, and ``written``,
the files of which the content changed.
"""
# Runs under Jython 2.7 as well.
# pyright: basic

import hashlib
import json
import os
import shutil
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from commands import AdminConfig, AdminTask
from repository import FILES, Repository


class Output:
    """What a script prints. A console of ASCII, where another character would end the script."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        """Take a text."""
        self.text += text.encode("ascii").decode("ascii")

    def flush(self):
        """Do nothing: nothing is kept back."""


def configuration(folder):
    """The files below a folder that scripts may change."""
    found = []
    for path, _, files in os.walk(folder):
        found.extend([os.path.join(path, file) for file in files if file in FILES])
    return sorted(found)


def digests(folder):
    """A digest of each file."""
    found = {}
    for path in configuration(folder):
        with open(path, "rb") as file:
            found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(job):
    """Run the script of a job."""
    for path in configuration(job["base"]) if job.get("base") else []:
        shutil.copyfile(path, os.path.join(job["export"], os.path.relpath(path, job["base"])))
    known = digests(job["export"])
    repository = Repository(job["export"])
    scope = {"AdminConfig": AdminConfig(repository), "AdminTask": AdminTask(repository), "__name__": "__main__"}
    with open(job["script"], "rb") as file:
        text = str(file.read().decode("ascii"))
    output, before, code = Output(), sys.stdout, 0
    sys.stdout = output
    try:
        exec(compile(text, job["script"], "exec"), scope)
    except SystemExit as ended:
        code = ended.code or 0
    except:  # noqa: E722 - wsadmin ends with 105 whatever a script raises
        code = 105
        output.text += traceback.format_exc()
    finally:
        sys.stdout = before
    after = digests(job["export"])
    changed = sorted([path for path in after if after[path] != known.get(path)])
    return {"code": code, "output": output.text, "written": changed}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        jobs = json.loads(file.read().decode("utf-8"))
    results = json.dumps([run(job) for job in jobs])
    with open(sys.argv[2], "w") as file:
        file.write(results)
