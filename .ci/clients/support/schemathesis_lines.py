"""Bodies of lines, of which a schema says no more than that they are texts: good ones and ones with each kind of mistake, and what has to
become of them, line by line. A reader of its own, so that what the service's reader takes for granted is not taken for granted here."""
import csv
import io
import json

from hypothesis import strategies as st

EVENTS = [b'{}', b'{"a":1}', b'{"a":"x","b":[1,{"c":null}]}', b' {"b":{"c":1.5}} ', b'{"a":true}\r', '{"a":"ä"}'.encode()]
NO_EVENTS = [b'1', b'"text"', b'null', b'true']
BROKEN = [b'{', b'{"a":1', b"{'a':1}", b'{"a":}', b'nonsense', b'{"a":1}}']
ACTIONS = [b'{"create":{}}', b'{"index":{}}', b'{"create":{"_index":"web"}}', b'{"index":{"_index":"web","_id":"7"}}']
CHANGES = [b'{"update":{"_id":"7"}}', b'{"delete":{"_id":"7"}}']
NO_ACTIONS = [b'{"creat":{}}', b'{"create":1}', b'{"create":{},"index":{}}', *NO_EVENTS, *BROKEN]
CELLS = ['', 'x', '007', ' 1.5 ', '"a, b"', '"say ""no"""', '"two\nlines"', 'ä']


def joined(lines):
    return st.tuples(st.lists(lines, min_size=1, max_size=6), st.sampled_from([b'\n', b'\n\n', b'']))\
        .map(lambda drawn: b'\n'.join(drawn[0]) + drawn[1])


def mostly(good, bad):
    """One mistake in a body is told from no mistake, and from another one before it."""
    return st.one_of(*[st.sampled_from(good)] * 5, st.sampled_from(bad))


pair = st.one_of(
    *[st.tuples(st.one_of(*[st.sampled_from(ACTIONS)] * 12, st.sampled_from(NO_ACTIONS)), mostly(EVENTS, NO_EVENTS + BROKEN)).map(b'\n'.join)] * 4,
    st.sampled_from([b'{"update":{"_id":"7"}}\n{"doc":{}}', b'{"delete":{"_id":"7"}}', b'{"create":{}}']),
)
LINES = st.one_of(joined(mostly(EVENTS, NO_EVENTS)), joined(mostly(EVENTS, BROKEN)), joined(pair))


@st.composite
def tables(draw):
    width = draw(st.integers(2, 4))
    rows = [','.join('abcd'[:width])]
    for _ in range(draw(st.integers(1, 6))):
        cells = draw(st.lists(st.sampled_from(CELLS), min_size=width, max_size=width))
        rows.append(','.join(draw(st.sampled_from([cells] * 5 + [cells[1:], cells + ['x']]))))
    line_end = draw(st.sampled_from(['\n', '\n', '\r\n']))
    end = draw(st.sampled_from([line_end, line_end * 2, '', f'{line_end}"never closed']))
    return line_end.join(rows).encode() + end.encode()


def value_of(line):
    return json.loads(line.decode(), parse_constant=lambda name: 1 / 0)


def is_object(line):
    try:
        return isinstance(value_of(line), dict)
    except ValueError:
        return False


def lines_of(body):
    return [line for line in body.split(b'\n') if line.strip(b'\r')]


def of_events(body):
    """@returns the status, how many are stored and how many are not; None where nothing is known of it"""
    lines = lines_of(body)
    if not lines or not all(line in EVENTS + NO_EVENTS + BROKEN for line in lines):
        return None
    # Where a line is no object, nobody knows what the others are.
    return (200, len(lines), 0) if all(map(is_object, lines)) else (400, 0, 0)


def of_bulk(body, has_index):
    lines = lines_of(body)
    known = [*EVENTS, *ACTIONS, *CHANGES, *NO_ACTIONS, b'{"doc":{}}']
    if not lines or not all(line in known for line in lines):
        return None
    stored = refused = 0
    rest = iter(lines)
    for line in rest:
        action = value_of(line) if is_object(line) else {}
        [name, meta] = next(iter(action.items()), ('', None))
        if len(action) != 1 or name not in ('create', 'index', 'update', 'delete') or not isinstance(meta, dict):
            return 400, 0, 0
        document = b'' if name == 'delete' else next(rest, None)
        if document is None:
            return 400, 0, 0
        if name in ('create', 'index') and is_object(document) and (has_index or '_index' in meta):
            stored += 1
        else:
            refused += 1
    return 200, stored, refused


def of_table(body):
    text = body.decode()
    header = text.splitlines()[0] if text.strip() else ''
    if header not in ('a,b', 'a,b,c', 'a,b,c,d'):
        return None
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=''), strict=True) if row][1:]
    except csv.Error:
        return 400, 0, 0
    width = header.count(',') + 1
    stored = sum(len(row) == width for row in rows)
    return 200, stored, len(rows) - stored


def found_in(response):
    """What became of the lines, in the same form."""
    if response.status_code != 200:
        return response.status_code, 0, 0
    answer = response.json()
    if 'items' in answer:
        stored = sum(item['status'] == 201 for entry in answer['items'] for item in entry.values())
        return 200, stored, len(answer['items']) - stored
    return 200, answer['ingested'], answer['failed']
