"""msgspec looks at no class while threads decode: two that look at the same one at once can crash the process."""

import subprocess
import sys

DECODED = """
import sys

import msgspec

from flowfabric.domain.outcomes import Answer
from flowfabric.domain.remembered_answers import _subclasses
from flowfabric.stores._shared.encoding import policy_of


def note(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        print("looked at", frame.f_locals["obj"])


class New(msgspec.Struct):
    number: int


sys.setprofile(note)
policy_of('{"max_interruptions": 3, "retry": {"max_retries": 2}}')
for each in _subclasses(Answer):
    msgspec.json.Decoder(each)
sys.setprofile(None)

from flowfabric.client.following import End
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.passing_time import KeptTime
from flowfabric.domain.turns import Turn
from flowfabric.runtime.payloads import WrittenCall
from flowfabric.stores._shared.log_position import LogPosition, Purged
from flowfabric.stores.postgres.event_position import EventPosition
from flowfabric.wire.problems import Problem

sys.setprofile(note)
for each in (End, ListPosition, KeptTime, Turn, WrittenCall, LogPosition, Purged, EventPosition, Problem):
    msgspec.json.Decoder(each)
msgspec.json.Decoder(New)
"""


def test_what_threads_decode_is_known_since_its_import() -> None:
    ran = subprocess.run([sys.executable, "-c", DECODED], check=True, capture_output=True, text=True)

    assert ran.stdout == "looked at <class '__main__.New'>\n"
