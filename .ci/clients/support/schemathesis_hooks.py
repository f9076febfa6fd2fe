"""What the suite `schemathesis` adds to the tool: `is_closed_to_strangers`, its check of tokens at a pace that is allowed, and
`accepts_what_is_allowed` and `refuses_what_is_forbidden`, which are its checks of data, but for the rules below. No schema can say these, so
/openapi.json describes them in words; how often each was met is printed. `reads_lines` holds each line of CSV, NDJSON and bulk requests
against what schemathesis_lines.py says of it."""
import atexit
import json
import re
import time
from collections import Counter
from urllib.parse import parse_qs, urlsplit

import schemathesis
import schemathesis_lines
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

ANNOTATIONS = r'(?:POST|PUT) /v2/annotations'
NOTIFIERS = r'(?:POST|PUT) /v2/notifiers'
QUERIES = r'POST /v1/(?:datasets/(?:_apl|\{name\}/query)|query/_apl)'
MONITORS = r'(?:POST|PUT) /v2/monitors'
LINES = ('text/csv', 'application/x-ndjson')
INGEST = r'POST /v1/(?:ingest/\{name\}|datasets/\{name\}/ingest)(?: as lines)?$'
TOKENS = r'POST /v2/tokens'
RANGES = r'GET /v2/(?:annotations|releases)$'
# What the service answers, why no schema can say it, and for which operations that is so: elsewhere such an answer is a failure.
RULES = [
    ('two times in their order', f'{ANNOTATIONS}|{QUERIES}|{RANGES}|{MONITORS}', r'ends \(.*\) before it starts|must not be before|end must not'),
    ('a time that must be in the future', f'{TOKENS}|{MONITORS}|{NOTIFIERS}', r'must be in the future'),
    ('the text of a query, an expression or a cursor', f'{QUERIES}|{MONITORS}|(?:POST|PUT) /v2/(?:vfields|saved-views)|GET /v1/datasets/_history|GET /v2/annotations$',
     r'errorType|pageCursor must be|error at line|cannot be computed|cursor .*(?:not|cannot)|invalid field|query reads no dataset'),
    ('a key that was used for another body', f'POST /v2/annotations$|{INGEST}', r'was used for another (?:body|annotation)'),
    ('headers that belong together', f'{ANNOTATIONS}|POST /v1/(?:traces|logs|metrics|integrations)', r'is required beside|no dataset: send the header'),
    ('a header that holds JSON', f'{INGEST}|{ANNOTATIONS}', r'X-Axiom-Event-Labels cannot be used|Annotation-Job must be JSON'),
    ('what the monitor is already', MONITORS, r'is not supported with type MatchEvent|(?:aplQuery|operator|threshold|intervalMinutes|rangeMinutes)"? is required'),
    ('which notifiers there are', MONITORS, r'there is no notifier'),
    ('where a notifier may send, and with which headers', NOTIFIERS, r'must be a URL that begins|inside a network|the header .* (?:cannot be sent|is set by)'),
    ('a template, a zone, and times that differ', NOTIFIERS, r'the body cannot have|must be a zone|must end at another time'),
    ('a name of at most 200 bytes', r'DELETE /v2/datasets/\{name\}/mapfields', r'exceeding the max param length'),
    ('a length of at most 30 days', r'GET /v2/changes$', r'before must be a length of at most 30d'),
    ('a secret that the platform makes itself', r'POST /v2/integrations(?:$|/\{id\}/regenerate$)', r'secret is required: \w+ makes the secret itself'),
    ('which of three are given', r'GET /v2/changes$', r'only one of time, annotation and monitor'),
    ('what goes with a kind of notifier', NOTIFIERS, r'without --smtp|copies annotations|are not signed'),
    ('a token that has expired', r'POST /v2/tokens/\{id\}/regenerate', r'has expired'),
    ('where the virtual field is already', r'PUT /v2/vfields', r'dataset must stay'),
    ('how many there can be', r'(?:POST|PUT) /v2/(?:datasets|vfields|saved-views|integrations|notifiers|tokens|monitors)', r'there can be at most|the most there can be|can have at most'),
    ('a Go reference layout', INGEST, r'is not a Go time layout'),
    ('the lines of a text', r'POST /v1/.*ingest.* as lines$', r'"message":"(?:line \d+|event \d+ at byte \d+ of the body): '),
    ('the lines of a bulk request', r'(?:POST|PUT) /.*_bulk as lines$', r'line \d+|bulk request|"reason":'),
    ('who asks', f'{TOKENS}|{ANNOTATIONS}|{NOTIFIERS}|(?:POST|PUT) /v2/integrations', r'the token names datasets|may give no more'),
    ('the expressions of a mapping', r'(?:POST|PUT) /v2/integrations', r'mapping(?:\.|:| is for)|the body is not JSON|the body has'),
    ('the body that a platform would send', r'POST /v2/integrations/preview', r'(?:deployment|status|time) (?:is required|must be)|the body must be an object|a batch has at most'),
]


def rule_of(case, text):
    """The rule that the answer of an operation obeys, by its path in the document."""
    operation = f'{case.operation.method.upper()} {case.operation.path}{" as lines" if case.media_type in LINES else ""}'
    return next((name for name, where, pattern in RULES if re.match(f'(?:{where})', operation) and re.search(pattern, text)), None)


met = Counter()


schemathesis.openapi.media_type('application/x-ndjson', schemathesis_lines.LINES)
schemathesis.openapi.media_type('text/csv', schemathesis_lines.tables())


@schemathesis.check
def accepts_what_is_allowed(ctx, response, case):
    if case.meta is not None and case.meta.generation.mode.is_positive and response.status_code in (400, 422):
        rule = rule_of(case, response.text)
        if rule is not None:
            met[f'{rule} ({case.operation.method.upper()} {case.operation.path})'] += 1
            return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def refuses_what_is_forbidden(ctx, response, case):
    # A null in a query is not sent at all, so that nothing forbidden arrives.
    sent = parse_qs(urlsplit(response.request.url).query, keep_blank_values=True)
    if any(name not in sent for name in case.query or {}):
        return None
    # The tool has no way to forbid a text: what is wrong in its lines is for `reads_lines`.
    if case.media_type in LINES and all(part.mode.is_positive for place, part in case.meta.components.items() if place.value != 'body'):
        return None
    # One event is taken without its array, which the document says in words.
    if case.operation.path.endswith(('/ingest', '/ingest/{name}')) and isinstance(case.body, dict):
        return None
    # What is not an event is refused by itself, and the events beside it are stored.
    if response.status_code == 200 and '"failures":[{' in response.text:
        return None
    return negative_data_rejection(ctx, response, case)


def expected_of(case, body):
    path = case.operation.path
    if path.endswith('_bulk'):
        places = [str(place) for place in (case.path_parameters or {}).values()]
        # What is in an index that is no dataset is refused, and so is all of what goes to a dataset that is none.
        if not all(re.fullmatch('[A-Za-z0-9-]{1,128}', place) for place in places):
            return None
        return schemathesis_lines.of_bulk(body, has_index=len(places) > 0)
    return schemathesis_lines.of_table(body) if case.media_type == 'text/csv' else schemathesis_lines.of_events(body)


@schemathesis.check
def reads_lines(ctx, response, case):
    # Names of columns, times and keys in other places change what lines mean.
    others = {name.lower() for name in case.headers or {}} & {'idempotency-key', 'x-axiom-csv-fields', 'x-axiom-event-labels'}
    if case.media_type not in LINES or not isinstance(case.body, bytes) or case.query or others or response.status_code not in (200, 400):
        return None
    expected, found = expected_of(case, case.body), schemathesis_lines.found_in(response)
    if expected is None:
        return None
    met['bodies of lines read as they are'] += 1
    if found != expected:
        raise Failure(operation=case.operation.label, title='Lines are read otherwise', message=f'{case.body!r}: {expected}, found {found}: {response.text[:300]}')
    return None


@schemathesis.check
def is_closed_to_strangers(ctx, response, case):
    # Whoever tries many tokens that are not known has to wait: so does this.
    try:
        return ignored_auth(ctx, response, case)
    except Failure as failure:
        if 'got `429' not in str(failure.message):
            raise
    time.sleep(61)
    return ignored_auth(ctx, response, case)


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A question that is held would only be waited for. Every other body of lines is sent with nothing that changes what it means."""
    if case.media_type in LINES and isinstance(case.body, bytes) and len(case.body) % 2 and case.meta.generation.mode.is_positive:
        case.query = {}
        case.headers = {name: value for name, value in (case.headers or {}).items() if name.lower() == 'authorization'}
    held = (case.query or {}).get('streaming-duration')
    if isinstance(held, str) and re.search(r'[1-9]', held) and re.fullmatch(r'(\d{1,9}(ns|us|µs|μs|ms|s|m|h|d))+', held):
        case.query['streaming-duration'] = '1ms'


@atexit.register
def tell():
    lines = met.pop('bodies of lines read as they are', 0)
    print(f'{lines} bodies of lines were read as they are, which no schema can say')
    for name, count in met.most_common():
        print(f'{count} answers refused for {name}, which no schema can say')
