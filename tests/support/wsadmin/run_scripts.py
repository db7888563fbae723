"""Runs scripts one after another, as long as it is asked to. A request is a line on standard input, a JSON list of two
files: one with jobs, and one for their results, both JSON. The answer is a line on standard output.

A job has ``script``, and either ``arguments``, with which the script runs as a program would, or ``export``, the folder
with the export on which it runs; where it has ``base`` as well, the configuration there is first copied over that of
the export. A result has ``code``, which wsadmin would end with, ``output``, and ``written``, the files of which the
content changed.
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


def execute(script, scope, compiled):
    """How a script ends, and what it prints. To compile one takes Jython longer than to run it."""
    if script not in compiled:
        with open(script, "rb") as file:
            compiled[script] = compile(str(file.read().decode("ascii")), script, "exec")
    output, before, code = Output(), sys.stdout, 0
    sys.stdout = output
    try:
        exec(compiled[script], dict(scope, __name__="__main__"))
    except SystemExit as ended:
        code = ended.code or 0
    except:  # noqa: E722 - wsadmin ends with 105 whatever a script raises
        code = 105
        output.text += traceback.format_exc()
    finally:
        sys.stdout = before
    return code, output.text


def run(job, compiled):
    """Run the script of a job."""
    if "arguments" in job:
        sys.argv = [job["script"]] + [str(argument) for argument in job["arguments"]]
        code, output = execute(job["script"], {}, compiled)
        return {"code": code, "output": output, "written": []}
    for path in configuration(job["base"]) if job.get("base") else []:
        shutil.copyfile(path, os.path.join(job["export"], os.path.relpath(path, job["base"])))
    known = digests(job["export"])
    repository = Repository(job["export"])
    scope = {"AdminConfig": AdminConfig(repository), "AdminTask": AdminTask(repository)}
    code, output = execute(job["script"], scope, compiled)
    after = digests(job["export"])
    changed = sorted([path for path in after if after[path] != known.get(path)])
    return {"code": code, "output": output, "written": changed}


def answer(request):
    """Run the jobs of a request."""
    jobs, results = json.loads(request)
    with open(jobs, "rb") as file:
        asked = json.loads(file.read().decode("utf-8"))
    compiled = {}
    text = json.dumps([run(job, compiled) for job in asked])
    with open(results, "w") as file:
        file.write(text)


if __name__ == "__main__":
    for request in iter(sys.stdin.readline, ""):
        answer(request)
        sys.stdout.write("done\n")
        sys.stdout.flush()
