"""Makes schemathesis request files that exist, and writes the media type of each download to a file.

Generated IDs match no report. Without this module, no download would succeed.
"""

import json
import os

import schemathesis
from schemathesis import GenerationMode

FILES = json.loads(os.environ["SCHEMATHESIS_FILES"])
DOWNLOADS = os.environ["SCHEMATHESIS_DOWNLOADS"]
PATHS = ("/v1/report/download", "/v1/reports/{id}/files/{fileId}")

calls = 0
asked = [0] * len(FILES)
sent = {file["mediaType"]: 0 for file in FILES}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts the ID of an existing file into three of four valid requests. Picks the media type with the fewest downloads. Leaves invalid requests unchanged."""
    global calls
    if case.operation.path not in PATHS or case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    calls += 1
    if calls % 4 == 0:
        return
    index = min(range(len(FILES)), key=lambda number: (sent[FILES[number]["mediaType"]], asked[number]))
    asked[index] += 1
    file = FILES[index]
    if case.operation.path == PATHS[0]:
        case.query = {**(case.query or {}), "reportType": file["reportType"], "id": file["id"]}
    else:
        case.path_parameters = {"id": file["id"], "fileId": file["fileId"]}


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path not in PATHS or response.status_code not in (200, 206) or case.method != "GET":
        return
    media_type = response.headers["content-type"][0].split(";")[0]
    sent[media_type] = sent.get(media_type, 0) + 1
    with open(DOWNLOADS, "a", encoding="utf-8") as downloads:
        downloads.write(media_type + "\n")
