# Runs programs, each of a line of JSON with its text and its argument, and writes the line that it prints.
import contextlib
import io
import json
import sys

for line in sys.stdin:
    program, argument = json.loads(line)
    sys.argv = ["-c", argument]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    print(printed.getvalue().strip(), flush=True)
