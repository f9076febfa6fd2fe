export const id = 869;
export const ids = [869];
export const modules = {

/***/ 3869:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  close: () => (/* binding */ close_close)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./packages/contract/lib/annotation.js
/**
 * The annotation of the wire contract (sections 2.1, 4.1–4.5, 8): shapes, field rules and paths.
 * Shared by client and service; no I/O.
 */
const ANNOTATIONS_PATH = '/v2/annotations';
/** @returns the path of one annotation, its id escaped */
function annotationPath(id) {
    return `${ANNOTATIONS_PATH}/${encodeURIComponent(id)}`;
}
const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/;
const annotation_ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/;
/** Longest texts, in Unicode code points. */
const annotation_TYPE_POINTS_MAX = 256;
const annotation_TITLE_POINTS_MAX = 256;
const annotation_DESCRIPTION_POINTS_MAX = 512;
const annotation_URL_POINTS_MAX = 512;

;// CONCATENATED MODULE: ./packages/contract/lib/error-body.js
/**
 * The error body of the wire contract and its validation codes (see docs/compatibility.md).
 */
/** Codes that say which rule a 422 broke. */
const VALIDATION_CODES = {
    type: 601,
    required: 602,
    tooLong: 603,
    tooShort: 604,
    pattern: 605,
    enum: 606,
    max: 608,
    min: 609,
    itemsMax: 611,
    itemsMin: 612,
};
/** Names one request across the service's answer and its log. */
const TRACE_ID_HEADER = 'x-axiom-trace-id';
/** A create that repeats this key with the same body is answered with the first one's result, for 24 hours. */
const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

;// CONCATENATED MODULE: ./packages/contract/lib/timestamp.js
/**
 * Timestamps of the wire contract: text to nanoseconds since the Unix epoch and back.
 * One reader for the step, the client and the service, so that all three agree on every spelling.
 * Deliberately not here: the clock, and spellings that only one door knows (`now`, epoch numbers, `now-1h`).
 */
/** What a reader of a rejected timestamp is told. */
const timestamp_TIMESTAMP_FORMS = 'an RFC 3339 / ISO 8601 time such as 2026-01-31T12:00:00Z, 2026-01-31T13:00:00.123456789+01:00 or 2026-01-31';
const NS_PER_SECOND = 1000000000n;
const NS_PER_MS = 1000000n;
/** First and last instant the service can hold: the range of a 64-bit nanosecond column (DateTime64(9)). */
const STORABLE_FIRST_NS = BigInt(Date.UTC(1900, 0, 1)) * NS_PER_MS;
const STORABLE_LAST_NS = 9223372036854775807n;
/*
 * date [ (T|t|blank) hour:minute[:second[(.|,)1–9 digits]] [ Z|z | ±hh[[:]mm] ] ]
 * The basic form without separators (20260131T120000Z, what `date +%Y%m%dT%H%M%SZ` prints) is ISO 8601 too;
 * the back references make a text use one form throughout.
 */
const SHAPE = /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:[Tt ](?<hour>\d\d)(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)?)?$/;
/**
 * Reads a timestamp. No zone means UTC, a date alone means its midnight, and a leap second counts as the second before it.
 * @returns nanoseconds since 1970-01-01T00:00:00Z, or `undefined` where the text is not one of {@link TIMESTAMP_FORMS}
 *   (a day that does not exist, ten fraction digits, blanks around it). The year may lie outside of what the service stores.
 */
function timestamp_parseTimestamp(text) {
    const part = SHAPE.exec(text)?.groups;
    if (!part || (part.dash === '' && part.hour === undefined))
        return undefined;
    const [year, month, day] = [Number(part.year), Number(part.month), Number(part.day)];
    const [hour, minute, second] = [Number(part.hour ?? 0), Number(part.minute ?? 0), Number(part.second ?? 0)];
    const [offsetHour, offsetMinute] = [Number(part.offsetHour ?? 0), Number(part.offsetMinute ?? 0)];
    if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month))
        return undefined;
    if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59)
        return undefined;
    const offsetMinutes = (part.sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
    const leap = second === 60;
    const utcMs = utcMillis(year, month, day, hour, minute, leap ? 59 : second) - offsetMinutes * 60_000;
    // Leap seconds are only ever inserted at 23:59:60 UTC.
    if (leap && !new Date(utcMs).toISOString().endsWith('T23:59:59.000Z'))
        return undefined;
    return BigInt(utcMs) * NS_PER_MS + BigInt((part.fraction ?? '').padEnd(9, '0'));
}
/**
 * Writes a timestamp as the service does: RFC 3339, UTC with `Z`, the fraction without trailing zeros.
 * @param ns nanoseconds since the epoch, years 0000 to 9999
 */
function timestamp_formatTimestamp(ns) {
    const fraction = ((ns % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
    const whole = new Date(Number((ns - fraction) / NS_PER_MS)).toISOString().slice(0, 19);
    return fraction === 0n ? `${whole}Z` : `${whole}.${String(fraction).padStart(9, '0').replace(/0+$/, '')}Z`;
}
/** Whether the service can hold this instant. */
function timestamp_isStorable(ns) {
    return ns >= STORABLE_FIRST_NS && ns <= STORABLE_LAST_NS;
}
function daysOf(year, month) {
    return new Date(utcMillis(year, month + 1, 0, 0, 0, 0)).getUTCDate();
}
/** Like Date.UTC, which reads the years 0 to 99 as 1900 to 1999. */
function utcMillis(year, month, day, hour, minute, second) {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    return date.setUTCHours(hour, minute, second, 0);
}

;// CONCATENATED MODULE: ./packages/client/lib/budget.js
/** One attempt may use this share of the budget, so that a silent service leaves time to look and to retry. */
const ATTEMPT_SHARE = 1 / 3;
/** A TLS connection over a slow network needs some time, however small the budget. */
const ATTEMPT_MS_MIN = 2_000;
/** Waiting longer for one answer has never been seen to help. */
const ATTEMPT_MS_MAX = 10_000;
function createBudget(clock, totalMs, signal) {
    const startedAt = clock.now();
    const callerSignal = signal ?? new AbortController().signal;
    const elapsedMs = () => clock.now() - startedAt;
    const remainingMs = () => Math.max(0, totalMs - elapsedMs());
    return {
        signal: callerSignal,
        totalMs,
        attempts: 0,
        elapsedMs,
        remainingMs,
        startAttempt(whole = false) {
            this.attempts++;
            const share = Math.min(ATTEMPT_MS_MAX, Math.max(ATTEMPT_MS_MIN, totalMs * ATTEMPT_SHARE));
            const limitMs = Math.max(1, Math.ceil(whole ? remainingMs() : Math.min(share, remainingMs())));
            return { limitMs, signal: AbortSignal.any([callerSignal, AbortSignal.timeout(limitMs)]) };
        },
    };
}

;// CONCATENATED MODULE: ./packages/client/lib/errors.js
/**
 * Everything the client throws. Subclass by what the caller would do next; `docs/errors.md` lists the codes.
 * No message holds a token: texts of the service pass `redact` before they get here.
 */
const ERROR_BODY_CHARS_MAX = 1_000;
class errors_ClientError extends Error {
    /** Requests of this call that were sent or tried, looks included. */
    attempts = 1;
    /** From the begin of the call to this error, milliseconds. */
    elapsedMs = 0;
    /** Whether the request may have taken effect although no usable answer came back. */
    mayHaveTakenEffect = false;
    constructor(message, details = {}) {
        const { cause, ...rest } = details;
        super(message, cause === undefined ? undefined : { cause });
        Object.assign(this, rest);
        this.name = new.target.name;
    }
}
/** A setting or an argument is wrong; nothing was sent. */
class errors_ConfigError extends errors_ClientError {
    code = 'config';
}
/** No whole reply came back. */
class ConnectionError extends errors_ClientError {
    code = 'connection';
    /** False only where surely nothing reached the service. */
    sent;
    constructor(message, details) {
        const { sent, ...rest } = details;
        super(message, rest);
        this.sent = sent;
    }
}
/** The service's certificate is not trusted; nothing was sent. */
class CertificateError extends ConnectionError {
    code = 'certificate';
}
/** The time for one attempt or for the whole call is over. */
class TimeoutError extends ConnectionError {
    code = 'timeout';
}
/** The service answered, and did not do what was asked. */
class ResponseError extends errors_ClientError {
}
/** 401 or 403: the token is unknown or lacks a permission. */
class AuthError extends ResponseError {
    code = 'auth';
}
/** 404 */
class NotFoundError extends ResponseError {
    code = 'not-found';
}
/** Any other 4xx: what was sent has to change. */
class InvalidRequestError extends ResponseError {
    code = 'invalid-request';
}
/** 429: nothing was done; `retryAfterMs` where the service said. */
class RateLimitError extends ResponseError {
    code = 'rate-limit';
}
/** 3xx that is not followed: to another origin, without an address, or one too many. */
class RedirectError extends ResponseError {
    code = 'redirect';
}
/** 408 or 5xx */
class ServerError extends ResponseError {
    code = 'server';
}
/** A 2xx whose body is not what the contract says: not JSON, cut short, without an id. */
class ProtocolError extends errors_ClientError {
    code = 'protocol';
}

;// CONCATENATED MODULE: ./packages/contract/lib/text.js
/**
 * Texts as the contract measures and cuts them: in code points, never within a character as people see it.
 * Deliberately not here: quoting, and what is done to characters that cannot be seen, which differ from door to door.
 */
/** @returns the length of a text as the contract counts it: code points, not UTF-16 units */
function text_countPoints(text) {
    let points = 0;
    for (const _ of text)
        points++;
    return points;
}
/** Texts whose every unit is a character of its own. */
const SIMPLE = /^[\x20-\x7e]*$/;
let segmenter;
/**
 * @returns the text; where it is longer than so many code points, its beginning and `…`, together not longer than that
 *   (shorter where the cut would go through a character that has several code points, such as a flag or a family)
 */
function text_cutText(text, pointsMax) {
    if (text.length <= pointsMax)
        return text;
    // A code point has at most two units, so that this holds one point too many, if there is one.
    const beginning = text.slice(0, 2 * (pointsMax + 1));
    if (SIMPLE.test(beginning))
        return `${text.slice(0, pointsMax - 1)}…`;
    if (text_countPoints(beginning) <= pointsMax)
        return text;
    segmenter ??= new Intl.Segmenter();
    let end = 0;
    let points = 1;
    for (const { segment, index } of segmenter.segment(beginning)) {
        points += text_countPoints(segment);
        if (points > pointsMax)
            break;
        end = index + segment.length;
    }
    return `${text.slice(0, end)}…`;
}

;// CONCATENATED MODULE: ./packages/client/lib/line.js
/**
 * Text from a service on its way into a message.
 * Deliberately not here: what a log takes for a command of its own; whoever writes the log knows.
 */

/**
 * @returns one line of printable text, cut to so many code points: control and format characters (line breaks, terminal escapes,
 *   text direction) become blanks
 */
function line_toLine(text, pointsMax) {
    return text_cutText(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), pointsMax);
}

;// CONCATENATED MODULE: ./packages/client/lib/retry-after.js
/**
 * Reads a `Retry-After` header: seconds, or a date, which is taken against the reply's own `Date`
 * because the two clocks may differ.
 * @returns milliseconds to wait, 0 for a date that is over, `undefined` where there is none or it cannot be read
 */
function parseRetryAfter(value, date) {
    if (value === undefined)
        return undefined;
    const text = value.trim();
    if (/^\d{1,12}$/.test(text))
        return Number(text) * 1_000;
    // An HTTP date begins with the day of the week; Date.parse alone takes "1.5" for a date as well.
    const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at))
        return undefined;
    const now = Date.parse(date ?? '');
    return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}

// EXTERNAL MODULE: ./node_modules/undici/lib/dispatcher/pool.js
var pool = __webpack_require__(628);
;// CONCATENATED MODULE: ./packages/client/lib/transport.js

/** No whole reply came back. `sent` is false only where surely not one byte of the request was handed to a connection. */
class WireError extends Error {
    name = 'WireError';
    sent;
    constructor(sent, cause) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
        this.sent = sent;
    }
}
/** A connection that is not made in this time will hardly be made later; what is left of the budget goes to a retry. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * @param origin scheme, host and port that every request goes to
 * @param env where the proxy variables are looked up: `https_proxy`, `http_proxy`, `no_proxy` in either case
 */
function createTransport(origin, env = process.env) {
    let dispatcher;
    return {
        async send(request) {
            dispatcher ??= createDispatcher(origin, env);
            return exchange(await dispatcher, request);
        },
        async close() {
            await (await dispatcher)?.destroy();
        },
    };
}
async function createDispatcher(origin, env) {
    // The budget of the call bounds headers and body; undici's own five minutes would only hide it.
    const options = { headersTimeout: 0, bodyTimeout: 0 };
    if (!readProxyVariable(origin, env))
        return new pool(origin.origin, { ...options, connect: { timeout: CONNECT_TIMEOUT_MS } });
    // Loaded behind a proxy only. The package's entry point gives every dispatcher `connect`, which the proxy's tunnel needs.
    const { default: EnvHttpProxyAgent } = await __webpack_require__.e(/* import() */ 137).then(__webpack_require__.t.bind(__webpack_require__, 3137, 19));
    const { default: Dispatcher } = await Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 883, 19));
    Dispatcher.prototype.connect = (await __webpack_require__.e(/* import() */ 660).then(__webpack_require__.t.bind(__webpack_require__, 2279, 19))).default;
    return new EnvHttpProxyAgent({
        ...options,
        requestTls: { timeout: CONNECT_TIMEOUT_MS },
        proxyTls: { timeout: CONNECT_TIMEOUT_MS },
    });
}
/** Lower case first, as curl and undici do; `https_proxy` falls back to `http_proxy` as in undici. */
function readProxyVariable(origin, env) {
    const http = env.http_proxy || env.HTTP_PROXY;
    return origin.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http;
}
function exchange(dispatcher, request) {
    const { method, url, headers, body, signal, replyBytesMax } = request;
    return new Promise((resolve, reject) => {
        let controller;
        let sent = false;
        let status = 0;
        let replyHeaders = {};
        let bytes = 0;
        const chunks = [];
        const fail = (cause) => {
            signal.removeEventListener('abort', onAbort);
            reject(new WireError(sent, cause));
            controller?.abort(cause instanceof Error ? cause : new Error(String(cause)));
        };
        const onAbort = () => fail(signal.reason);
        if (signal.aborted)
            return onAbort();
        signal.addEventListener('abort', onAbort);
        const target = { origin: url.origin, path: url.pathname + url.search, method: method };
        dispatcher.dispatch({ ...target, headers, body: body ?? null }, {
            // Called once a connection has been made and right before the request is written to it.
            onRequestStart(started) {
                controller = started;
                if (signal.aborted)
                    return started.abort(signal.reason);
                sent = true;
            },
            onResponseStart(_, statusCode, received) {
                status = statusCode;
                replyHeaders = received;
            },
            onResponseData(_, chunk) {
                bytes += chunk.length;
                if (bytes > replyBytesMax)
                    return fail(new Error(`the reply is longer than ${replyBytesMax} bytes`));
                chunks.push(chunk);
            },
            onResponseEnd() {
                signal.removeEventListener('abort', onAbort);
                resolve({ status, headers: replyHeaders, body: Buffer.concat(chunks) });
            },
            onResponseError(_, error) {
                fail(error);
            },
        });
    });
}

;// CONCATENATED MODULE: ./packages/client/lib/request.js
/**
 * One request to the service and its answer: address, headers, redirects, and every failure as a ClientError.
 * Deliberately not here: whether a failed request is repeated (retry.ts).
 */





const REDIRECTS_MAX = 3;
/** More than any list that a person looks at; a reply without end must not fill the memory. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024;
/**
 * @returns the reply, its status 2xx
 * @throws ClientError for everything else; the caller's own abort reason where the caller gave up
 */
async function request(connection, call, budget) {
    let url = new URL(connection.baseUrl.href.replace(/\/$/, '') + call.path);
    const { limitMs, signal } = budget.startAttempt(call.slow);
    for (let redirects = 0;; redirects++) {
        const reply = await send(connection, call, url, signal, limitMs, budget);
        if (reply.status >= 200 && reply.status < 300)
            return toReply(connection, call, reply);
        const target = reply.status >= 300 && reply.status < 400 ? readRedirect(reply, url) : undefined;
        if (!target || target.origin !== url.origin || redirects === REDIRECTS_MAX)
            throw toError(connection, call, url, reply, target);
        url = target;
    }
}
async function send(connection, call, url, signal, limitMs, budget) {
    const headers = {
        authorization: `Bearer ${connection.token}`,
        accept: 'application/json',
        'user-agent': connection.userAgent,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
    };
    const body = call.body === undefined ? {} : { body: call.body };
    try {
        return await connection.transport.send({
            method: call.method,
            url,
            headers,
            ...body,
            signal,
            replyBytesMax: call.replyBytesMax ?? REPLY_BYTES_MAX,
        });
    }
    catch (error) {
        if (budget.signal.aborted)
            throw budget.signal.reason;
        const wire = error instanceof WireError ? error : new WireError(true, error);
        const details = { method: call.method, path: call.path, sent: wire.sent, cause: wire.cause };
        const tried = `${call.method} ${url.href}`;
        if (signal.aborted)
            throw new TimeoutError(`${tried}: no complete answer within ${seconds(limitMs)}`, details);
        const reason = connection.redact(describeCause(wire.cause));
        if (isCertificateError(wire.cause))
            throw new CertificateError(`${tried}: the certificate is not trusted: ${reason}`, details);
        throw new ConnectionError(`${tried}: ${reason}`, details);
    }
}
/** 303 is not followed: it says that the answer to a POST is to be fetched elsewhere, which no annotation service does. */
function readRedirect(reply, from) {
    const location = header(reply, 'location');
    return location !== undefined && reply.status !== 303 && URL.canParse(location, from.href)
        ? new URL(location, from.href)
        : undefined;
}
function toReply(connection, call, reply) {
    const text = reply.body.toString('utf8');
    const traceId = header(reply, TRACE_ID_HEADER);
    const retryAfterMs = parseRetryAfter(header(reply, 'retry-after'), header(reply, 'date'));
    const details = {
        method: call.method,
        path: call.path,
        status: reply.status,
        body: connection.redact(text.slice(0, ERROR_BODY_CHARS_MAX * 2)).slice(0, ERROR_BODY_CHARS_MAX),
        ...(traceId === undefined ? {} : { traceId: connection.redact(line_toLine(traceId, 128)) }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    return { status: reply.status, text, details };
}
function toError(connection, call, url, reply, target) {
    const { status } = reply;
    const { text, details } = toReply(connection, call, reply);
    const said = line_toLine(connection.redact(readMessage(text)), 300);
    const answered = `${call.method} ${url.href} answered ${status}`;
    if (status >= 300 && status < 400) {
        const why = target === undefined ? 'a redirect that cannot be followed' : describeRedirect(url, connection.redact(target.href));
        return new RedirectError(`${answered}: ${why}`, details);
    }
    const message = said === '' ? answered : `${answered}: ${said}`;
    if (status === 401 || status === 403)
        return new AuthError(message, details);
    if (status === 404)
        return new NotFoundError(message, details);
    if (status === 429)
        return new RateLimitError(message, details);
    if (status === 408 || status >= 500)
        return new ServerError(message, details);
    return new InvalidRequestError(message, details);
}
function describeRedirect(from, target) {
    return target.startsWith(`${from.origin}/`)
        ? `more than ${REDIRECTS_MAX} redirects`
        : `a redirect to ${line_toLine(target, 200)}, where the token must not go`;
}
/** The service's own message; of a page made for people, its title. */
function readMessage(text) {
    try {
        const body = JSON.parse(text);
        const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
        if (typeof message === 'string')
            return message;
    }
    catch {
        const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1];
        if (title !== undefined)
            return title;
    }
    return text.slice(0, 1_000);
}
function header(reply, name) {
    const value = reply.headers[name];
    return Array.isArray(value) ? value[0] : value;
}
function isCertificateError(cause) {
    const code = readCode(cause);
    return code !== undefined && /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}
/** Several addresses were tried: Node then gives one error without a message that holds the others. */
function describeCause(cause) {
    if (cause instanceof AggregateError && cause.errors.length > 0)
        return cause.errors.map(describeCause).join('; ');
    if (!(cause instanceof Error))
        return line_toLine(String(cause), 200);
    const code = readCode(cause);
    const message = line_toLine(cause.message, 200);
    return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
function readCode(cause) {
    const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
    return typeof code === 'string' ? code : undefined;
}
function seconds(ms) {
    return `${Math.round(ms / 100) / 10} s`;
}

;// CONCATENATED MODULE: ./packages/client/lib/retry.js

function classify(error) {
    if (!(error instanceof errors_ClientError))
        return 'final';
    if (error.code === 'certificate')
        return 'final';
    if (error instanceof ConnectionError)
        return error.sent ? 'ambiguous' : 'unsent';
    if (error instanceof RateLimitError)
        return 'unsent';
    if (error instanceof ServerError || error instanceof ProtocolError)
        return 'ambiguous';
    // A create whose idempotency key is still in flight: an earlier try of ours, whose answer was lost, is at work.
    if (error.status === 409 && error.method === 'POST')
        return 'ambiguous';
    return 'final';
}
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MS_MAX = 8_000;
/** Full jitter: any time up to a bound that doubles with each try, so that many clients do not come back at once. */
function backoffMs(clock, tries) {
    return Math.round(clock.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_FIRST_MS * 2 ** tries));
}
/**
 * Repeats an attempt until it succeeds, fails for good, or the budget does not hold another wait.
 * @throws the last ClientError, which then tells attempts, time and whether the request may have taken effect
 */
async function retry(attempt, { clock, budget, onRetry, recover, isFinal }) {
    let mayHaveTakenEffect = false;
    for (let tries = 0;; tries++) {
        try {
            return await attempt();
        }
        catch (error) {
            if (!(error instanceof errors_ClientError))
                throw error;
            const disposition = classify(error);
            mayHaveTakenEffect ||= disposition === 'ambiguous';
            try {
                if (disposition === 'final' || isFinal?.(error))
                    throw error;
                if (disposition === 'ambiguous' && recover) {
                    const result = await recover(error);
                    if (result !== undefined)
                        return result;
                    mayHaveTakenEffect = false;
                }
                const waitMs = Math.max(error.retryAfterMs ?? 0, backoffMs(clock, tries));
                if (waitMs >= budget.remainingMs())
                    throw error;
                onRetry?.(error, waitMs);
                await clock.sleep(waitMs, budget.signal);
            }
            catch (last) {
                if (last instanceof errors_ClientError) {
                    Object.assign(last, { attempts: budget.attempts, elapsedMs: budget.elapsedMs(), mayHaveTakenEffect });
                }
                throw last;
            }
        }
    }
}

;// CONCATENATED MODULE: ./packages/client/lib/calls.js
/**
 * What every call of the client shares: its options, its budget, and the loop of tries around one request.
 */



function startBudget({ clock, timeoutMs }, options) {
    return createBudget(clock, options.timeoutMs ?? timeoutMs, options.signal);
}
/** Sends one request, again where that may help, and takes its reply apart. @throws ClientError */
async function runCall(settings, call, read, options, extra = {}) {
    const budget = extra.budget ?? startBudget(settings, options);
    const attempt = async () => read(await request(settings.connection, call, budget));
    return retry(attempt, { clock: settings.clock, onRetry: options.onRetry, ...extra, budget });
}

;// CONCATENATED MODULE: ./packages/client/lib/reply.js


/** Ids go into paths, outputs and logs; one that is not made of these characters was not assigned by such a service. */
const reply_ID_PATTERN = /^[A-Za-z0-9_.~-]{1,128}$/;
/** @throws ProtocolError */
function parseAnnotation(reply) {
    const body = parseJson(reply);
    if (!isAnnotation(body))
        throw unexpected(reply, 'an annotation with an id');
    return body;
}
/** @throws ProtocolError */
function parseAnnotations(reply) {
    const body = parseJson(reply);
    if (!Array.isArray(body) || !body.every(isAnnotation))
        throw unexpected(reply, 'a list of annotations');
    return body;
}
/** For answers whose body says nothing. */
function parseNothing(_reply) { }
/** @throws ProtocolError */
function parseJson(reply) {
    try {
        return JSON.parse(reply.text);
    }
    catch {
        throw unexpected(reply, 'JSON');
    }
}
function isAnnotation(body) {
    if (typeof body !== 'object' || body === null)
        return false;
    const { id, datasets, time, type } = body;
    const texts = [time, type].every((value) => typeof value === 'string');
    return typeof id === 'string' && reply_ID_PATTERN.test(id) && texts && isTextList(datasets);
}
function isTextList(value) {
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
function unexpected(reply, expected) {
    const { method, path, body } = reply.details;
    const got = reply.text === '' ? 'an empty body' : line_toLine(body ?? '', 200);
    return new ProtocolError(`${method} ${path} answered ${reply.status} without ${expected}: ${got}`, reply.details);
}

;// CONCATENATED MODULE: ./packages/client/lib/annotations.js
/**
 * Annotations: create exactly one, list, get, change, delete.
 */







/** Pauses before the first and the second look: a commit that was under way when the connection broke needs a moment. */
const LOOK_PAUSES_MS = [250, 1_000];
/** How far from the annotation's own time a look searches: services may cut the digits of a time. */
const LOOK_WINDOW_NS = 1000000000n;
/** Creates that may follow an ambiguous one unseen, where the token may not list. */
const BLIND_RESENDS_MAX = 1;
function createAnnotationsClient(settings) {
    const { clock } = settings;
    const list = (filter, options, budget) => {
        const call = { method: 'GET', path: ANNOTATIONS_PATH + toQuery(filter) };
        return runCall(settings, call, parseAnnotations, options, budget ? { budget } : {});
    };
    async function create(annotation, options) {
        const marked = { ...annotation, time: annotation.time ?? markNow(clock) };
        const headers = { [IDEMPOTENCY_KEY_HEADER]: options.idempotencyKey ?? (0,external_node_crypto_.randomUUID)() };
        const budget = startBudget(settings, options);
        let blindResends = 0;
        async function recover(error) {
            try {
                for (const pauseMs of LOOK_PAUSES_MS) {
                    await clock.sleep(Math.min(pauseMs, budget.remainingMs()), budget.signal);
                    const found = (await list(around(marked), options, budget)).find((listed) => isSame(listed, marked));
                    if (found)
                        return found;
                }
                return undefined;
            }
            catch (failedLook) {
                budget.signal.throwIfAborted();
                if (!(failedLook instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX)
                    throw error;
                options.onRetry?.(failedLook, 0);
                return undefined;
            }
        }
        const call = { method: 'POST', path: ANNOTATIONS_PATH, body: JSON.stringify(marked), headers };
        return runCall(settings, call, parseAnnotation, options, { budget, recover });
    }
    async function remove(id, options) {
        let repeated = false;
        const noteRetry = (error, waitMs) => {
            repeated = true;
            options.onRetry?.(error, waitMs);
        };
        try {
            await runCall(settings, { method: 'DELETE', path: annotationPath(id) }, parseNothing, { ...options, onRetry: noteRetry });
        }
        catch (error) {
            if (!(repeated && error instanceof NotFoundError))
                throw error;
        }
    }
    return {
        create: (annotation, options = {}) => create(annotation, options),
        list: (filter = {}, options = {}) => list(filter, options),
        get: (id, options = {}) => runCall(settings, { method: 'GET', path: annotationPath(id) }, parseAnnotation, options),
        change: (id, change, options = {}) => runCall(settings, { method: 'PUT', path: annotationPath(id), body: JSON.stringify(change) }, parseAnnotation, options),
        delete: (id, options = {}) => remove(id, options),
    };
}
/** Now, to the nanosecond: the digits below the clock's millisecond are random, so that no two marks are alike. */
function markNow(clock) {
    return timestamp_formatTimestamp(BigInt(clock.now()) * 1000000n + BigInt(Math.floor(clock.random() * 1_000_000)));
}
/** Whether a listed annotation is the one that was sent: the same in every member that was sent, times to the microsecond. */
function isSame(listed, sent) {
    const sameTime = (a, b) => a === b || (a !== undefined && b !== undefined && micros(a) === micros(b));
    const set = (names) => [...new Set(names.map((name) => name.trim()))].sort().join();
    return (listed.type === sent.type &&
        set(listed.datasets) === set(sent.datasets) &&
        sameTime(listed.time, sent.time) &&
        sameTime(listed.endTime, sent.endTime) &&
        (listed.title ?? '') === (sent.title ?? '') &&
        (listed.description ?? '') === (sent.description ?? '') &&
        (listed.url ?? '') === (sent.url ?? ''));
}
function micros(time) {
    const ns = timestamp_parseTimestamp(time);
    return ns === undefined ? undefined : ns / 1000n;
}
/** The window and the datasets in which an annotation that was sent must be listed. */
function around({ time, datasets }) {
    const ns = timestamp_parseTimestamp(time);
    if (ns === undefined)
        return { datasets };
    return { start: timestamp_formatTimestamp(ns - LOOK_WINDOW_NS), end: timestamp_formatTimestamp(ns + LOOK_WINDOW_NS), datasets };
}
function toQuery({ start, end, datasets }) {
    const query = new URLSearchParams();
    if (start !== undefined)
        query.set('start', start);
    if (end !== undefined)
        query.set('end', end);
    if (datasets && datasets.length > 0)
        query.set('datasets', datasets.join(','));
    return query.size === 0 ? '' : `?${query}`;
}

;// CONCATENATED MODULE: ./packages/client/lib/clock.js
const systemClock = {
    now: Date.now,
    random: Math.random,
    sleep: (ms, signal) => new Promise((resolve, reject) => {
        if (signal.aborted)
            return reject(signal.reason);
        const onAbort = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal.removeEventListener('abort', onAbort);
            resolve();
        }, ms);
        signal.addEventListener('abort', onAbort, { once: true });
    }),
};

;// CONCATENATED MODULE: ./packages/contract/lib/duration.js
/**
 * Lengths of time: the units that every text counts in, durations as Go writes them, and how a length is told to people.
 * Deliberately not here: the timespans of the query language, which has more spellings and clock forms.
 */
/** Nanoseconds of one unit. */
const UNIT_NS = {
    ns: 1n,
    us: 1000n,
    ms: 1000000n,
    s: 1000000000n,
    m: 60000000000n,
    h: 3600000000000n,
    d: 86400000000000n,
    w: 604800000000000n,
};
/** Milliseconds of one unit, for clocks and charts, which count in them. */
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** One part of a duration. Micro is written with either of the two letters that look alike, as Go reads them. */
const PART = /(\d{1,9})(ns|us|µs|μs|ms|s|m|h|d)/g;
const DURATION = new RegExp(`^(?:${PART.source})+$`);
/**
 * Reads a duration such as `720h`, `1h30m` or `7d`: what Go writes of whole numbers, and days besides.
 * @returns nanoseconds, or `undefined` where the text is none (a fraction, a sign, a number without a unit)
 */
function parseDuration(text) {
    if (!DURATION.test(text))
        return undefined;
    let ns = 0n;
    for (const [, count = '', unit = ''] of text.matchAll(PART)) {
        ns += BigInt(count) * UNIT_NS[unit.replace(/^[µμ]s$/, 'us')];
    }
    return ns;
}
/** @returns the two largest units that say something: `4 min 12 s`, `58 s`, `1 h 4 min`, `2 d 3 h`; never negative */
function formatDuration(ms) {
    const total = Math.max(0, Math.round(ms / 1_000));
    const parts = [
        [Math.floor(total / 86_400), 'd'],
        [Math.floor(total / 3_600) % 24, 'h'],
        [Math.floor(total / 60) % 60, 'min'],
        [total % 60, 's'],
    ];
    const first = parts.findIndex(([count]) => count > 0);
    if (first === -1)
        return '0 s';
    return parts
        .slice(first, first + 2)
        .filter(([count]) => count > 0)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ');
}

;// CONCATENATED MODULE: ./lib/action/input-error.js
/** Inputs that cannot be used; each problem is a line that names the input and its value. */
class input_error_InputError extends Error {
    name = 'InputError';
    problems;
    constructor(problems) {
        super(problems.join('\n'));
        this.problems = problems;
    }
}

;// CONCATENATED MODULE: ./lib/action/input-time.js
/**
 * The time inputs: `now`, Unix epoch numbers, and the contract's timestamps, all to the nanosecond.
 */




/**
 * Seconds or milliseconds. Nine digits and more: 2026 or 20260131 is a date that lacks its dashes, not a second of 1970. Up to
 * fourteen, which is where the contract's microseconds begin.
 */
const EPOCH = /^\d{9,14}(?:\.\d{1,9})?$/;
/** @throws InputError naming the input and the value */
function input_time_parseInputTime(name, text) {
    if (text === '')
        return undefined;
    if (text === 'now')
        return 'now';
    const ns = EPOCH.test(text) ? parseEpoch(text) : parseTimestamp(text);
    if (ns === undefined) {
        const also = name === 'endTime' ? ', "now" or "job-end"' : ' or "now"';
        throw new InputError([
            `input "${name}" is ${quote(text)}: it must be ${TIMESTAMP_FORMS}, Unix epoch seconds or milliseconds${also}`,
        ]);
    }
    if (!isStorable(ns))
        throw new InputError([`input "${name}" is ${quote(text)}: only the years 1900 to 2262 can be stored`]);
    return { ns };
}
function input_time_formatInputTime(time, now) {
    return time === 'now' ? now : formatTimestamp(time.ns);
}

;// CONCATENATED MODULE: ./lib/action/annotation.js







/**
 * @param now the time of the step, which `now` and a missing `time` stand for
 * @param jobUrl the default of `url`; `undefined` where CI does not tell it
 * @throws InputError where the end is before the begin
 */
function buildAnnotation(mark, now, jobUrl) {
    const { datasets = [], type = '' } = mark;
    const url = mark.url ?? jobUrl;
    return {
        ...buildChange({ ...mark, time: mark.time ?? 'now' }, now),
        datasets,
        type,
        ...(url === undefined ? {} : { url }),
    };
}
/** Only what was given; nothing gets a default. @throws InputError where the end is before the begin */
function buildChange(mark, now) {
    const { time: givenTime, endTime: givenEnd, ...rest } = mark;
    const time = givenTime === undefined ? undefined : formatInputTime(givenTime, now);
    const endTime = givenEnd === undefined || givenEnd === 'job-end' ? undefined : formatInputTime(givenEnd, now);
    if (time !== undefined && endTime !== undefined && ns(endTime) < ns(time)) {
        throw new InputError([`input "endTime" is ${quote(endTime)}, which is before "time" ${quote(time)}`]);
    }
    return { ...(time === undefined ? {} : { time }), ...(endTime === undefined ? {} : { endTime }), ...rest };
}
/**
 * What closes a release span when its job ends: the end, and one more line in the description that says how it went.
 * @param status the job's result: `success`, `failure` or `cancelled`
 */
function buildClosing(span, status, now) {
    const durationMs = Number((ns(now) - ns(span.time)) / 1000000n);
    const line = `${status} after ${formatDuration(durationMs)}`;
    // A span whose begin lies in the future ends where it begins: the service refuses an end before that.
    const endTime = ns(now) < ns(span.time) ? span.time : now;
    if (!span.description)
        return { endTime, description: line };
    const room = annotation_DESCRIPTION_POINTS_MAX - text_countPoints(line) - 2;
    return { endTime, description: `${text_cutText(span.description, room)}\n\n${line}` };
}
function ns(time) {
    return timestamp_parseTimestamp(time) ?? 0n;
}

;// CONCATENATED MODULE: ./packages/client/lib/redact.js
/**
 * Takes the token out of texts that came from outside: a service may echo it in an error, in any spelling.
 */
const SHOWN_INSTEAD = '***';
/** @returns a function that replaces every spelling of the token that it knows in a text */
function createRedactor(token) {
    const pattern = new RegExp(spell(token).map(escapeRegExp).join('|'), 'gi');
    return (text) => text.replace(pattern, SHOWN_INSTEAD);
}
/** The spellings in which programs echo what they were sent, the longest first. */
function spell(token) {
    const bytes = Buffer.from(token);
    const characters = [...token];
    const spellings = [
        token,
        characters.toReversed().join(''),
        encodeURIComponent(token),
        characters.map((c) => `%${hex(c)}`).join(''),
        JSON.stringify(token).slice(1, -1),
        characters.map((c) => `\\u00${hex(c)}`).join(''),
        characters.map((c) => `\\x${hex(c)}`).join(''),
        characters.map((c) => `&#${c.charCodeAt(0)};`).join(''),
        characters.map((c) => `&#x${hex(c)};`).join(''),
        bytes.toString('hex'),
        // At each of the three alignments base64 spells the inner characters alike whatever stands around them.
        ...[0, 1, 2].flatMap((offset) => {
            const inner = Buffer.concat([Buffer.alloc(offset), bytes])
                .toString('base64')
                .replace(/=+$/, '');
            const text = inner.slice(offset === 0 ? 0 : offset + 1, inner.length - 1);
            return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
        }),
    ];
    return [...new Set(spellings)].filter((text) => text.length >= Math.min(token.length, 8)).sort((a, b) => b.length - a.length);
}
const hex = (character) => character.charCodeAt(0).toString(16).padStart(2, '0');
const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

;// CONCATENATED MODULE: ./packages/client/lib/version.js
/** The version in package.json, kept equal by test: reading the file at run time would put its path into the bundle. */
const VERSION = '1.0.0';
const USER_AGENT = `deployment-annotations/${VERSION}`;

;// CONCATENATED MODULE: ./packages/client/lib/connection.js





const DEFAULT_BASE_URL = 'https://api.axiom.co';
const DEFAULT_TIMEOUT_MS = 30_000;
/** @throws ConfigError where a setting is unusable; nothing is sent here */
function openConnection(options) {
    const token = checkToken(options.token);
    const baseUrl = parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL, options.allowHttp ?? false);
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    if (!(timeoutMs > 0))
        throw new errors_ConfigError(`timeoutMs must be greater than 0, got ${timeoutMs}`);
    const transport = options.transport ?? createTransport(baseUrl);
    const userAgent = options.userAgent ?? USER_AGENT;
    const connection = { transport, baseUrl, token, userAgent, redact: createRedactor(token) };
    return { connection, clock: options.clock ?? systemClock, timeoutMs };
}
/** The message never shows the token, nor a part of it. @throws ConfigError */
function checkToken(token) {
    if (token === '')
        throw new errors_ConfigError('the token is empty');
    const index = token.search(/[^\x21-\x7e]/);
    if (index !== -1) {
        const code = (token.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
        throw new errors_ConfigError(`the token holds a blank, control or non-ASCII character (U+${code} at position ${index + 1})`);
    }
    return token;
}
/** @throws ConfigError */
function parseBaseUrl(text, allowHttp) {
    const shown = JSON.stringify(String(text).replace(/\/\/[^/@]*@/, '//***@'));
    if (!URL.canParse(String(text)))
        throw new errors_ConfigError(`baseUrl ${shown} is not an absolute URL such as ${DEFAULT_BASE_URL}`);
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new errors_ConfigError(`baseUrl ${shown} must begin with https://`);
    if (url.username || url.password)
        throw new errors_ConfigError(`baseUrl ${shown} must not hold a user name or password`);
    if (url.search || url.hash)
        throw new errors_ConfigError(`baseUrl ${shown} must not hold a query or fragment`);
    if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
        throw new errors_ConfigError(`baseUrl ${shown} would send the token over the network in clear; use https://, or set allowHttp to accept that`);
    }
    return url;
}
function isLoopback(hostname) {
    return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

// EXTERNAL MODULE: ./lib/action/state.js
var state = __webpack_require__(2287);
;// CONCATENATED MODULE: ./lib/action/text.js
/**
 * Text from inputs, commits and the service on its way to a log: one line, bounded, and never a workflow command.
 */

const SHOWN_POINTS_MAX = 200;
/** @returns the text in double quotes, as one line, for use within a message */
function text_quote(text) {
    return JSON.stringify(toLog(text, SHOWN_POINTS_MAX));
}
/**
 * One line for the log. The runner takes `##[…]` anywhere in a line for a command (and `::…` at its begin,
 * which our own words prevent), and a carriage return for a new line.
 */
function toLog(text, pointsMax = 2_000) {
    return line_toLine(text, pointsMax).replaceAll('##[', '# #[');
}
/** Text that stands for itself within HTML. */
function escapeHtml(text) {
    return toLine(text, SHOWN_POINTS_MAX).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// EXTERNAL MODULE: ./lib/action/toolkit.js + 14 modules
var toolkit = __webpack_require__(8701);
;// CONCATENATED MODULE: ./lib/action/connect.js
/**
 * The client as both steps use it, and what its calls tell the log on their way.
 */







/** Only the annotations of the client: what the step does not use is not in its bundle. */
function connect(service) {
    const settings = openConnection({ ...service, userAgent: `${USER_AGENT} step` });
    return { annotations: createAnnotationsClient(settings), [Symbol.asyncDispose]: () => settings.connection.transport.close() };
}
const callOptions = {
    onRetry(error, waitMs) {
        if (classify(error) === 'ambiguous')
            (0,state/* saveDoubt */.Kh)();
        toolkit/* core.info */.I.info(`${toLog(error.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`);
    },
};

;// CONCATENATED MODULE: ./lib/action/explain.js
/**
 * Turns whatever stopped the step into the message a person reads: what was tried, with which value, what came back,
 * how often and how long, and what to do.
 */



/** Errors that are the service's or the network's, not the user's: `onOutage` decides what they do to the job. */
function isOutage(error) {
    return error instanceof ClientError && ['connection', 'timeout', 'server', 'rate-limit'].includes(error.code);
}
/** @returns the message; several lines only for several wrong inputs */
function explain(error, deed) {
    if (error instanceof input_error_InputError)
        return error.problems.map((problem) => toLog(problem)).join('\n');
    if (!(error instanceof errors_ClientError)) {
        const message = error instanceof Error ? error.message : String(error);
        return toLog(`Could not ${deed}: ${message}. This is a fault of the step itself; please report it.`);
    }
    return [
        `Could not ${deed}: ${toLog(error.message)}.`,
        ...(error.traceId === undefined ? [] : [`Trace id ${toLog(error.traceId)}.`]),
        ...(error.code === 'config' ? [] : [`${count(error.attempts)} in ${(error.elapsedMs / 1_000).toFixed(1)} s.`]),
        ...(error.mayHaveTakenEffect && deed === 'create the annotation'
            ? ['The annotation may exist all the same: no answer told, and it could not be looked up.']
            : []),
        advise(error),
    ].join(' ');
}
function count(attempts) {
    return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
/** What to do next. */
function advise(error) {
    switch (error.code) {
        case 'config':
            return 'Nothing was sent.';
        case 'auth':
            return error.status === 403
                ? 'Give the token the permission for this: annotations create, for changes update, and read so that lost answers can be looked up.'
                : 'Check that the token belongs to the service at baseUrl and has not been revoked.';
        case 'not-found':
            return 'Check "id", which must be an annotation of this service, and "baseUrl".';
        case 'invalid-request':
            return error.status === 405 || error.status === 415
                ? 'Check "baseUrl": this does not look like an annotation service.'
                : 'Change the input that the message names.';
        case 'redirect':
            return 'Set "baseUrl" to the address that the service is moved to, if you trust it.';
        case 'certificate':
            return 'For a private certificate authority set NODE_EXTRA_CA_CERTS on the runner; otherwise check "baseUrl".';
        case 'connection':
            return 'Check "baseUrl", that the service is up, and whether the runner needs https_proxy or no_proxy.';
        case 'timeout':
            return 'Check that the service is up; "timeoutSeconds" gives it more time.';
        case 'rate-limit':
            return error.retryAfterMs === undefined
                ? 'Try again later.'
                : `The service asks to wait ${Math.ceil(error.retryAfterMs / 1_000)} s.`;
        case 'server':
            return 'Try again later; the trace id helps whoever runs the service.';
        case 'protocol':
            return 'Check "baseUrl": what answers there does not behave like an annotation service.';
        default:
            return error.code;
    }
}

;// CONCATENATED MODULE: ./packages/contract/lib/dataset-name.js
/**
 * What a dataset may be called (section 8 of the contract): ASCII letters, digits and `-`, 1 to 128 of them; `Web` and `web` are two.
 * Deliberately not here: which name says what is wrong with a list of names, and how a query quotes a name.
 */
const DATASET_NAME_LENGTH_MIN = 1;
const DATASET_NAME_LENGTH_MAX = 128;
/** One character of a name, as a regular expression writes it. */
const CHARACTER = '[A-Za-z0-9-]';
/** Only the characters: for a schema, where a length that is wrong has an error code of its own. */
const DATASET_NAME_CHARACTERS = (/* unused pure expression or super */ null && (`^${CHARACTER}*$`));
/** The whole rule. */
const dataset_name_DATASET_NAME_PATTERN = new RegExp(`^${CHARACTER}{${DATASET_NAME_LENGTH_MIN},${DATASET_NAME_LENGTH_MAX}}$`);

;// CONCATENATED MODULE: ./lib/action/inputs.js
/**
 * The step's inputs: names and defaults as in action.yml (a test compares the two), and text to checked values.
 * All problems are reported at once. Deliberately not here: what the runner tells about the job (job.ts).
 */









/** Every input and its default; '' is none. */
const INPUT_DEFAULTS = {
    token: '',
    datasets: '',
    type: '',
    time: '',
    endTime: '',
    title: '',
    description: '',
    url: '',
    id: '',
    baseUrl: DEFAULT_BASE_URL,
    allowHttp: 'false',
    onOutage: 'warn',
    timeoutSeconds: '30',
    dryRun: 'false',
    summary: 'true',
    jobCheckRunId: '',
    jobStatus: '',
};
const TIMEOUT_SECONDS_MAX = 3_600;
/** @throws InputError with every problem found */
function parseInputs(raw) {
    const problems = [];
    /** Runs one check, and goes on with the next input where it fails. */
    const check = (parse) => {
        try {
            return parse();
        }
        catch (error) {
            if (!(error instanceof InputError || error instanceof ConfigError))
                throw error;
            problems.push(error.message);
            return undefined;
        }
    };
    const warnings = [];
    const dryRun = check(() => parseBoolean('dryRun', raw.dryRun)) ?? false;
    const mark = dropAbsent({
        datasets: check(() => parseDatasets(raw.datasets)),
        type: check(() => parseType(raw.type)),
        time: check(() => parseInputTime('time', raw.time)),
        endTime: raw.endTime === 'job-end' ? 'job-end' : check(() => parseInputTime('endTime', raw.endTime)),
        title: cut('title', raw.title, TITLE_POINTS_MAX, warnings),
        description: cut('description', raw.description, DESCRIPTION_POINTS_MAX, warnings),
        url: check(() => parseUrl(raw.url)),
    });
    const id = raw.id === '' ? undefined : check(() => parseId(raw.id));
    if (raw.id === '') {
        if (raw.datasets === '')
            problems.push('input "datasets" is required: names of datasets, separated by commas');
        if (raw.type === '')
            problems.push('input "type" is required: the kind of event, for example production-deploy');
    }
    else if (Object.keys(mark).length === 0 && problems.length === 0) {
        problems.push(`input "id" is ${quote(raw.id)} but nothing to change is given: add endTime, title, description, url, time, type or datasets`);
    }
    const service = check(() => parseService(raw, dryRun));
    const onOutage = check(() => parseChoice('onOutage', raw.onOutage, ['warn', 'fail']));
    const summary = check(() => parseBoolean('summary', raw.summary));
    if (problems.length > 0 || !service || !onOutage || summary === undefined)
        throw new InputError(problems);
    return { mark, ...(id === undefined ? {} : { id }), service, onOutage, dryRun, summary, warnings };
}
/** @throws InputError or ConfigError */
function parseService(raw, dryRun = false) {
    const allowHttp = parseBoolean('allowHttp', raw.allowHttp);
    if (!dryRun)
        checkTokenInput(raw.token);
    return {
        token: raw.token,
        baseUrl: parseBaseUrl(raw.baseUrl || INPUT_DEFAULTS.baseUrl, allowHttp),
        allowHttp,
        timeoutMs: parseTimeout(raw.timeoutSeconds) * 1_000,
    };
}
function checkTokenInput(token) {
    try {
        checkToken(token);
    }
    catch (error) {
        const advice = token === ''
            ? 'pass a secret of the repository or environment, for example secrets.AXIOM_TOKEN. Secrets are absent in workflows that run for a fork and in Dependabot ' +
                'runs, and a reusable workflow gets them only where its caller passes them (`secrets: inherit`)'
            : 'store the secret again without it';
        throw new input_error_InputError([`input "token": ${error.message}; ${advice}`]);
    }
}
function parseDatasets(text) {
    if (text === '')
        return undefined;
    const names = [...new Set(text.split(/[,\r\n]/).map((name) => name.trim()))].filter((name) => name !== '');
    if (names.length === 0)
        throw new InputError([`input "datasets" is ${quote(text)} and names no dataset`]);
    const wrong = names.filter((name) => !DATASET_NAME_PATTERN.test(name));
    if (wrong.length > 0) {
        const rule = 'a dataset name has 1 to 128 ASCII letters, digits and "-"; names are separated by commas';
        throw new InputError([`input "datasets" holds ${wrong.map(quote).join(', ')}: ${rule}`]);
    }
    return names;
}
function parseType(text) {
    if (text === '')
        return undefined;
    if (ANNOTATION_TYPE_PATTERN.test(text) && countPoints(text) <= TYPE_POINTS_MAX)
        return text;
    const rule = `a type has lower-case letters, digits and "-" only, at most ${TYPE_POINTS_MAX}`;
    const suggestion = suggestType(text);
    const hint = suggestion === '' ? '' : `; did you mean ${quote(suggestion)}?`;
    throw new InputError([`input "type" is ${quote(text)}: ${rule}${hint}`]);
}
/** The nearest valid spelling; '' where nothing of the text is left. */
function suggestType(text) {
    const plain = text
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replace(/([a-z\d])([A-Z])/g, '$1-$2')
        .toLowerCase();
    return plain
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, TYPE_POINTS_MAX)
        .replace(/^-+|-+$/g, '');
}
function parseUrl(text) {
    if (text === '')
        return undefined;
    const points = countPoints(text);
    if (points > URL_POINTS_MAX)
        throw new InputError([`input "url" has ${points} characters, at most ${URL_POINTS_MAX} are stored: ${quote(text)}`]);
    return text;
}
function parseId(text) {
    if (!ID_PATTERN.test(text))
        throw new InputError([`input "id" is ${quote(text)}: an id looks like ann_… and is the "id" output of the step that made it`]);
    return text;
}
function parseTimeout(text) {
    const value = text === '' ? Number(INPUT_DEFAULTS.timeoutSeconds) : Number(text);
    if (/^[\d.]*$/.test(text) && value > 0 && value <= TIMEOUT_SECONDS_MAX)
        return value;
    throw new input_error_InputError([`input "timeoutSeconds" is ${text_quote(text)}: seconds greater than 0, at most ${TIMEOUT_SECONDS_MAX}`]);
}
function parseBoolean(name, text) {
    return parseChoice(name, text.toLowerCase(), ['true', 'false']) === 'true';
}
function parseChoice(name, text, choices) {
    const value = text === '' ? INPUT_DEFAULTS[name] : text;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined)
        throw new input_error_InputError([`input "${name}" is ${text_quote(text)}: it must be ${choices.join(' or ')}`]);
    return choice;
}
function cut(name, text, pointsMax, warnings) {
    if (text === '')
        return undefined;
    const kept = cutText(text, pointsMax);
    if (kept !== text)
        warnings.push(`input "${name}" has ${countPoints(text)} characters; it was cut to ${pointsMax}`);
    return kept;
}
function dropAbsent(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

;// CONCATENATED MODULE: ./lib/action/read-inputs.js
/**
 * Reads the inputs that the runner has put into the environment, the same way in the main and the post step.
 */


/** The token is masked before anything else is done with it, and kept as it is: blanks around it are an error to tell. */
function readInputs() {
    const token = toolkit/* core.getInput */.I.getInput('token', { trimWhitespace: false });
    for (const secret of new Set([token, token.trim()]))
        if (secret.trim() !== '')
            toolkit/* core.setSecret */.I.setSecret(secret);
    const names = Object.keys(INPUT_DEFAULTS);
    return { ...Object.fromEntries(names.map((name) => [name, toolkit/* core.getInput */.I.getInput(name)])), token };
}

;// CONCATENATED MODULE: ./lib/action/close.js
/**
 * The post step, told once: find what the main step may have left behind, close a release span. It never fails the job.
 */
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});










/** @param state of a main step that got as far as sending */
async function close_close(state) {
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const raw = readInputs();
            const client = __addDisposableResource(env_1, connect(parseService(raw)), true);
            const id = state.id === undefined || state.doubt ? await settle(client.annotations, state) : state.id;
            if (id === undefined)
                return toolkit/* core.info */.I.info('The main step got no answer, and the service has no such annotation: nothing to close.');
            if (state.intent.span)
                await closeSpan(client.annotations, id, state.intent, raw);
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    catch (error) {
        toolkit/* core.warning */.I.warning(explain(error, state.intent.span ? 'close the release span' : 'look for the annotation'));
    }
}
/** Finds the annotation of a main step that was killed or lost an answer, and removes a second copy of it. @returns its id */
async function settle(annotations, { intent, id }) {
    const { annotation, ownTime } = intent;
    if (annotation === undefined)
        return id;
    const copies = (await annotations.list(around(annotation), callOptions)).filter((listed) => isSame(listed, annotation));
    const kept = copies.find((copy) => copy.id === id) ?? copies[0];
    if (kept !== undefined && id === undefined)
        toolkit/* core.info */.I.info(`The main step got no answer, but the annotation exists: ${kept.id}`);
    // Only our random digits prove that an equal annotation is ours and not that of another job of the matrix.
    for (const copy of ownTime ? copies : []) {
        if (copy.id === (id ?? kept?.id))
            continue;
        await annotations.delete(copy.id, callOptions);
        toolkit/* core.info */.I.info(`Removed a second copy of the annotation, left by a lost answer: ${copy.id}`);
    }
    return id ?? kept?.id;
}
async function closeSpan(annotations, id, intent, raw) {
    const span = await readSpan(annotations, id, intent);
    if (span.endTime !== undefined)
        return toolkit/* core.info */.I.info(`The release span ${id} was closed before, at ${toLog(span.endTime)}`);
    const status = /^[a-z]+$/.test(raw.jobStatus) ? raw.jobStatus : 'ended';
    const change = buildClosing(span, status, markNow(systemClock));
    await annotations.change(id, change, callOptions);
    toolkit/* core.info */.I.info(`Closed the release span ${id}: ${toLog((change.description ?? '').split('\n').at(-1) ?? '')}`);
}
/** As it is now: another step may have changed its description. A token that may only write goes by what was sent. */
async function readSpan(annotations, id, { annotation }) {
    try {
        return await annotations.get(id, callOptions);
    }
    catch (error) {
        if (error instanceof AuthError && annotation !== undefined)
            return annotation;
        throw error;
    }
}


/***/ })

};
