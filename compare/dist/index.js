import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
import * as __WEBPACK_EXTERNAL_MODULE__random_js_27c68dc0__ from "./random.js";
import * as __WEBPACK_EXTERNAL_MODULE_node_os_e12349cb__ from "node:os";
/******/ var __webpack_modules__ = ({

/***/ 896:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");

/***/ }),

/***/ 857:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");

/***/ }),

/***/ 500:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _comparison_step_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(446);
/** The step `compare`. */

await (0,_comparison_step_js__WEBPACK_IMPORTED_MODULE_0__/* .run */ .e)();

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 446:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  e: () => (/* binding */ step_run)
});

;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
;// CONCATENATED MODULE: ./packages/contract/lib/header.js
/**
 * The headers of the wire contract that are not HTTP's own, in lower case, as Node and fetch return them; and the members of resources
 * that a request asks for by one of them.
 */
/** The id of a request, in the service's answer and in its log. */
const TRACE_ID_HEADER = 'x-axiom-trace-id';
/** A create that repeats this key with the same body is answered with the first one's result, for 24 hours. */
const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** At most 255 visible ASCII characters, which any client library can send in a header. */
const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;
/**
 * Beyond the contract: the request is about the one annotation with this key, and the answer repeats the header. A
 * create replaces that annotation where there is one; a list has it alone. A service that does not know keys sends nothing back.
 */
const ANNOTATION_KEY_HEADER = 'annotation-key';
const header_ANNOTATION_KEY_FORM = '1 to 128 visible ASCII characters, with spaces only between them';
const header_ANNOTATION_KEY_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;
/** Beyond the contract: something that the reader of a log should know about an annotation, which was stored all the same. */
const NOTICE_HEADER = 'annotation-notice';
/** The names of the columns of a CSV body, separated by commas; it then has no header row. */
const CSV_FIELDS_HEADER = 'x-axiom-csv-fields';
/** A JSON object whose members every event gets. */
const EVENT_LABELS_HEADER = 'x-axiom-event-labels';
/** The dataset that a request of OTLP is for: the protocol itself has no place for one. */
const OTLP_DATASET_HEADER = 'x-axiom-dataset';
/** The same for metrics; it takes precedence over the other one. */
const OTLP_METRICS_DATASET_HEADER = 'x-axiom-metrics-dataset';
/** A request's header (RFC 7240) that asks for every member (see below); `PREFER_ALL_MEMBERS` is what to send. */
const PREFER_HEADER = 'prefer';
const PREFER_ALL_MEMBERS = { [PREFER_HEADER]: 'members=all' };
/*
 * Members of tokens and annotations that the hosted service does not have. Published clients that decode strictly refuse a member that
 * they do not know, so these are only in answers to requests that ask for them with the header above, which every other service
 * ignores. Other resources have theirs in every answer: no published client was seen to refuse them.
 */
const OWN_ANNOTATION_MEMBERS = (/* unused pure expression or super */ null && (['createdAt', 'createdBy']));
const OWN_TOKEN_MEMBERS = (/* unused pure expression or super */ null && (['kind', 'permissions', 'createdAt']));

;// CONCATENATED MODULE: ./packages/contract/lib/text.js
/**
 * Texts as the contract measures and cuts them, in code points and never within a character as people see it; and as a part of a path.
 * Deliberately not here: quoting, and what is done to characters that cannot be seen, which differ from one place to the next.
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
 * @returns the text; if it is longer than `pointsMax` code points, its beginning and `…`, together not longer than that
 *   (shorter if the cut would go through a character that has several code points, such as a flag or a family)
 */
function cutText(text, pointsMax) {
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
/**
 * @returns the text as one segment of a URL's path; half a surrogate pair, which cannot be written in UTF-8 and occurs in no name or
 *   id, becomes U+FFFD
 */
function text_toSegment(text) {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

;// CONCATENATED MODULE: ./packages/contract/lib/annotation.js
/**
 * Annotations: their paths, and the patterns and bounds of their members, for the schemas and for senders that check before they send.
 * The shapes are in schemas/annotation.ts. This file does not load them, so that the step's bundle does without their library.
 */

const ANNOTATIONS_PATH = '/v2/annotations';
/** @returns the path of one annotation, its id escaped */
function annotationPath(id) {
    return `${ANNOTATIONS_PATH}/${text_toSegment(id)}`;
}
const ANNOTATION_ID_PATTERN = /^ann_[A-Za-z0-9_-]{1,64}$/;
const annotation_ANNOTATION_TYPE_PATTERN = /^[a-z0-9-]+$/;
/** The longest texts, in Unicode code points. */
const annotation_TYPE_POINTS_MAX = 256;
const TITLE_POINTS_MAX = 256;
const DESCRIPTION_POINTS_MAX = 512;
const annotation_URL_POINTS_MAX = 512;

;// CONCATENATED MODULE: ./packages/client/lib/errors.js
/**
 * Everything the client throws. Subclass by what the caller would do next; `docs/errors.md` lists the codes.
 * No message holds a token: texts of the service pass `redact` before they get here.
 */
const ERROR_BODY_CHARS_MAX = 1_000;
/** An error does not change once it is created; the one that `onRetry` gets and the one thrown in the end are two. */
class ClientError extends Error {
    attempts;
    elapsedMs;
    mayHaveTakenEffect;
    constructor(message, details = {}) {
        const { cause, attempts = 0, elapsedMs = 0, mayHaveTakenEffect = false, ...rest } = details;
        super(message, cause === undefined ? undefined : { cause });
        Object.assign(this, rest);
        this.name = new.target.name;
        this.attempts = attempts;
        this.elapsedMs = elapsedMs;
        this.mayHaveTakenEffect = mayHaveTakenEffect;
    }
}
/** A setting or an argument is wrong; nothing was sent. */
class ConfigError extends ClientError {
    code = 'config';
}
/** No whole reply came back. */
class ConnectionError extends ClientError {
    code = 'connection';
    /** False only if certainly nothing reached the service. */
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
class ResponseError extends ClientError {
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
class ProtocolError extends ClientError {
    code = 'protocol';
}

;// CONCATENATED MODULE: ./packages/client/lib/line.js
/**
 * Text from a service on its way into a message.
 * Deliberately not here: what a log takes for a command; the code that writes the log knows.
 */

/**
 * @returns one line of printable text of at most `pointsMax` code points: control and format characters (line breaks, terminal
 *   escapes, text direction) become spaces
 */
function line_toLine(text, pointsMax) {
    return cutText(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), pointsMax);
}

;// CONCATENATED MODULE: ./packages/client/lib/retry-after.js
/**
 * Reads a `Retry-After` header: seconds, or a date, which is taken against the reply's own `Date`
 * because the two clocks may differ.
 * @returns milliseconds to wait, 0 for a date in the past, `undefined` where there is none or it cannot be read
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

;// CONCATENATED MODULE: ./packages/client/lib/reply.js
/**
 * What the service answered: the reply as errors tell of it, the error that a status means, and bodies taken apart. A 2xx is
 * believed only where its body is what the contract says.
 */




function readReply(connection, asked, wire) {
    const text = wire.body.toString('utf8');
    const traceId = readHeader(wire, TRACE_ID_HEADER);
    const retryAfterMs = parseRetryAfter(readHeader(wire, 'retry-after'), readHeader(wire, 'date'));
    const details = {
        method: asked.method,
        path: asked.path,
        status: wire.status,
        body: connection.redact(text.slice(0, ERROR_BODY_CHARS_MAX * 2)).slice(0, ERROR_BODY_CHARS_MAX),
        ...(traceId === undefined ? {} : { traceId: connection.redact(line_toLine(traceId, 128)) }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    return { status: wire.status, text, headers: wire.headers, details };
}
function readHeader(wire, name) {
    const value = wire.headers[name];
    return Array.isArray(value) ? value[0] : value;
}
/** The error that a 4xx or 5xx stands for. @param said the service's own words, for people; '' where there are none */
function toResponseError({ status, details }, url, said) {
    const answered = `${details.method} ${url.href} answered ${status}`;
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
/** For answers whose body says nothing. */
function parseNothing(_reply) { }
/** @throws ProtocolError */
function reply_parseJson(reply) {
    try {
        return JSON.parse(reply.text);
    }
    catch {
        throw reply_unexpected(reply, 'JSON');
    }
}
function reply_unexpected(reply, expected) {
    const { method, path, body } = reply.details;
    const got = reply.text === '' ? 'an empty body' : line_toLine(body ?? '', 200);
    return new ProtocolError(`${method} ${path} answered ${reply.status} without ${expected}: ${got}`, reply.details);
}

;// CONCATENATED MODULE: ./packages/client/lib/transport.js
/**
 * One HTTP exchange: a request out, a whole reply of bounded size in; and what is known where there is none.
 * Two files carry it: undici-transport.ts in the library and wherever there is a proxy, node-transport.ts in the step.
 * Deliberately not here: redirects, retries, JSON and the meaning of a status.
 */
/** No whole reply came back. `sent` is false only if certainly not one byte of the request was handed to a connection. */
class WireError extends Error {
    name = 'WireError';
    sent;
    constructor(sent, cause) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
        this.sent = sent;
    }
}
/** By what it is, not by its class, of which the step's bundles have a copy each. */
function isWireError(error) {
    return error instanceof Error && error.name === 'WireError' && 'sent' in error;
}
/** A connection that is not made in this time is unlikely to be made later; what is left of the budget goes to a retry. */
const CONNECT_TIMEOUT_MS = 5_000;
/** @returns the proxy variable for this address: lower case first, as curl and undici do; https falls back to http as in undici */
function readProxyVariable(origin, env) {
    const http = env.http_proxy || env.HTTP_PROXY;
    return origin.protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY || http : http;
}
/** The body of a reply as it comes, up to the length that was asked for. */
class ReplyBody {
    #bytesMax;
    #chunks = [];
    #bytes = 0;
    constructor({ replyBytesMax }) {
        this.#bytesMax = replyBytesMax;
    }
    /** @throws Error where it is longer */
    add(chunk) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#bytesMax)
            throw new Error(`the reply is longer than ${this.#bytesMax} bytes`);
        this.#chunks.push(chunk);
    }
    toBuffer() {
        return Buffer.concat(this.#chunks);
    }
}

;// CONCATENATED MODULE: ./packages/client/lib/request.js




const REDIRECTS_MAX = 3;
/** More than any list that a person looks at; a reply without end must not fill the memory. */
const REPLY_BYTES_MAX = 16 * 1024 * 1024;
/**
 * @returns the reply, its status 2xx
 * @throws ClientError for everything else; the caller's own abort reason where the caller gave up
 */
async function sendRequest(connection, request, attempt) {
    let url = toUrl(connection, request);
    for (let redirects = 0;; redirects++) {
        const wire = await exchange(connection, { ...request, url }, attempt);
        const reply = readReply(connection, request, wire);
        if (reply.status >= 200 && reply.status < 300)
            return reply;
        const said = line_toLine(connection.redact(readMessage(reply.text)), 300);
        if (reply.status < 300 || reply.status >= 400)
            throw toResponseError(reply, url, said);
        const target = readRedirect(wire, url);
        if (target?.origin !== url.origin || redirects === REDIRECTS_MAX) {
            const why = describeRedirect(url, target, connection.redact);
            throw new RedirectError(`${request.method} ${url.href} answered ${reply.status}: ${why}`, reply.details);
        }
        url = target;
    }
}
/** @throws ConfigError for an id or a name that would lead to another path */
function toUrl({ baseUrl }, { path }) {
    const [names = ''] = path.split('?');
    // They are escaped, and these have nothing to escape: an address is the same without them, or one further up.
    if (names.split('/').some((name, index) => index > 0 && ['', '.', '..'].includes(name)))
        throw new ConfigError(`an id or a name must not be empty, "." or "..", as in ${JSON.stringify(path)}`);
    return new URL(baseUrl.href.replace(/\/$/, '') + path);
}
async function exchange(connection, request, attempt) {
    const { method, url, body, replyBytesMax = REPLY_BYTES_MAX } = request;
    const { signal } = attempt;
    const headers = {
        authorization: `Bearer ${connection.token}`,
        accept: 'application/json',
        'user-agent': connection.userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
    };
    const wire = { method, url, headers, signal, replyBytesMax, ...(body === undefined ? {} : { body }) };
    try {
        return await connection.transport.send(wire);
    }
    catch (error) {
        if (attempt.callerSignal.aborted)
            throw attempt.callerSignal.reason;
        throw toConnectionError(connection, request, { error, attempt });
    }
}
function toConnectionError(connection, { method, path, url }, { error, attempt }) {
    const { sent, cause } = isWireError(error) ? error : new WireError(true, error);
    const details = { method, path, sent, cause };
    const tried = `${method} ${url.href}`;
    if (attempt.signal.aborted)
        return new TimeoutError(`${tried}: no complete answer within ${seconds(attempt.limitMs)}`, details);
    const reason = connection.redact(describeCause(cause));
    if (isCertificateError(cause))
        return new CertificateError(`${tried}: the certificate is not trusted: ${reason}`, details);
    return new ConnectionError(`${tried}: ${reason}`, details);
}
/** 303 is not followed: it says that the answer to a POST is to be fetched elsewhere, which no annotation service does. */
function readRedirect(reply, from) {
    const location = readHeader(reply, 'location');
    return location !== undefined && reply.status !== 303 && URL.canParse(location, from.href)
        ? new URL(location, from.href)
        : undefined;
}
function describeRedirect(from, target, redact) {
    if (target === undefined)
        return 'a redirect that cannot be followed';
    return target.origin === from.origin
        ? `more than ${REDIRECTS_MAX} redirects`
        : `a redirect to ${line_toLine(redact(target.href), 200)}, where the token must not go`;
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
/**
 * Full jitter: any time up to a bound that doubles with each try, so that many clients do not come back at once; longer
 * where the service said so; shorter where the budget would end before the next attempt.
 * @param tries how often the request was tried before
 * @returns milliseconds; `undefined` where there is no time for another attempt
 */
function pauseMs(error, { tries, clock, budget }) {
    const roomMs = budget.remainingMs - budget.lastAttemptMs;
    const { retryAfterMs = 0 } = error;
    if (roomMs <= 0 || retryAfterMs >= budget.remainingMs)
        return undefined;
    const backoffMs = Math.round(clock.random() * Math.min(BACKOFF_MS_MAX, BACKOFF_FIRST_MS * 2 ** tries));
    return Math.max(retryAfterMs, Math.min(backoffMs, roomMs));
}
/** One attempt may use this share of the budget, so that a silent service leaves time to look and to retry. */
const ATTEMPT_SHARE = 1 / 3;
/** A TLS connection over a slow network needs some time, however small the budget. */
const ATTEMPT_MS_MIN = 2_000;
/** Waiting longer for one answer has never been seen to help. */
const ATTEMPT_MS_MAX = 10_000;
/** Kept for one more attempt where the pause before it would take the rest of the budget. */
const LAST_ATTEMPT_SHARE = 1 / 4;
/** The time that one call of the client may take, retries and lookups included, and the requests it has tried. */
class Budget {
    signal;
    #clock;
    #totalMs;
    #startedAt;
    #attempts = 0;
    /** @param signal ends what is under way when the caller gives up */
    constructor(clock, totalMs, signal = new AbortController().signal) {
        this.signal = signal;
        this.#clock = clock;
        this.#totalMs = totalMs;
        this.#startedAt = clock.now();
    }
    get attempts() {
        return this.#attempts;
    }
    get elapsedMs() {
        return this.#clock.now() - this.#startedAt;
    }
    get remainingMs() {
        return Math.max(0, this.#totalMs - this.elapsedMs);
    }
    /** What the last attempt needs to be worth it. */
    get lastAttemptMs() {
        return Math.min(ATTEMPT_MS_MIN, this.#totalMs * LAST_ATTEMPT_SHARE);
    }
    /** Counts one more attempt. @param share of the time that is left that it may take; see {@link ATTEMPT_SHARE} */
    startAttempt(share) {
        this.#attempts++;
        const wantedMs = share === undefined ? Math.min(ATTEMPT_MS_MAX, this.#totalMs * ATTEMPT_SHARE) : this.remainingMs * share;
        const limitMs = Math.max(1, Math.ceil(Math.min(Math.max(ATTEMPT_MS_MIN, wantedMs), this.remainingMs)));
        const timeout = AbortSignal.timeout(limitMs);
        // Node 20 forgets a timeout that only another signal goes by when it collects garbage, and then nothing ends the attempt.
        timeout.addEventListener('abort', () => undefined, { once: true });
        const signal = AbortSignal.any([this.signal, timeout]);
        return { limitMs, signal, callerSignal: this.signal };
    }
}

;// CONCATENATED MODULE: ./packages/client/lib/calls.js



/** An answer may be cut once. What answers so again is something else: a portal's page, or another service. */
const GARBLED_RETRIES_MAX = 1;
function startBudget({ clock, timeoutMs }, options) {
    return new Budget(clock, options.timeoutMs ?? timeoutMs, options.signal);
}
/**
 * Repeats a request until it succeeds, fails for good, or the budget does not hold another pause.
 * @throws the last ClientError, which tells attempts, time and whether the request may have taken effect; the caller's own
 *   abort reason where the caller gave up
 */
async function runCall(connection, call, options) {
    const { request, read, recover, isFinal, budget = startBudget(connection, options) } = call;
    let mayHaveTakenEffect = false;
    let garbled = 0;
    const tell = (error) => remake(error, { attempts: budget.attempts, elapsedMs: budget.elapsedMs, mayHaveTakenEffect });
    for (let tries = 0;; tries++) {
        try {
            return read(await sendRequest(connection, request, budget.startAttempt(request.attemptShare)));
        }
        catch (error) {
            if (!(error instanceof ClientError))
                throw error;
            const disposition = classify(error);
            mayHaveTakenEffect ||= disposition === 'ambiguous';
            const failure = tell(error);
            if (disposition === 'final' || isFinal?.(failure))
                throw failure;
            if (disposition === 'ambiguous' && recover) {
                const recovery = await recover(failure);
                if (recovery === 'give-up')
                    throw tell(error);
                if (typeof recovery === 'object')
                    return recovery.found;
                mayHaveTakenEffect = recovery === 'unknown';
            }
            if (error instanceof ProtocolError && ++garbled > GARBLED_RETRIES_MAX)
                throw tell(error);
            const waitMs = pauseMs(error, { tries, clock: connection.clock, budget });
            if (waitMs === undefined)
                throw tell(error);
            options.onRetry?.(failure, waitMs);
            await connection.clock.sleep(waitMs, budget.signal);
        }
    }
}
/** @returns the same error, which tells of the whole call; errors are not changed once they are made */
function remake(error, progress) {
    const Same = error.constructor;
    const remade = new Same(error.message, { ...error, cause: error.cause, ...progress });
    remade.stack = error.stack ?? '';
    return remade;
}

;// CONCATENATED MODULE: ./packages/client/lib/hints.js
/**
 * What an answer about one annotation says beside it, in headers; the hosted service sends none of them.
 */



const NOTICE_POINTS_MAX = 1_000;
const PAGE_LENGTH_MAX = 2_000;
function readHints({ baseUrl, redact }, reply) {
    const notice = readHeader(reply, NOTICE_HEADER);
    const key = readHeader(reply, ANNOTATION_KEY_HEADER);
    const page = readPage(readHeader(reply, 'link'), baseUrl.href.replace(/\/$/, '') + reply.details.path);
    return {
        ...(page === undefined ? {} : { page: redact(page) }),
        ...(notice === undefined ? {} : { notice: line_toLine(redact(notice), NOTICE_POINTS_MAX) }),
        ...(key === undefined ? {} : { key }),
    };
}
/** RFC 8288, as far as our service writes it. @returns a web address, whatever the header holds */
function readPage(link, from) {
    const target = /^<([^<>]*)>; rel="alternate"; type="text\/html"$/.exec(link ?? '')?.[1];
    if (target === undefined || !URL.canParse(target, from))
        return undefined;
    const { href, protocol } = new URL(target, from);
    return /^https?:$/.test(protocol) && href.length <= PAGE_LENGTH_MAX ? href : undefined;
}

;// CONCATENATED MODULE: ./packages/client/lib/annotation-calls.js
/**
 * One request about annotations each, with its answer read. Deliberately not here: what several of them together do, such as a
 * create that takes effect once (create-once.ts) or one annotation for a key (put-by-key.ts).
 */






/** Ids go into paths, outputs and logs; one that is not made of these characters was not assigned by such a service. */
const ID_PATTERN = /^[A-Za-z0-9_.~-]{1,128}$/;
function startContext(connection, options) {
    return { connection, options, budget: startBudget(connection, options) };
}
async function listAnnotations(context, filter) {
    const request = { method: 'GET', path: ANNOTATIONS_PATH + toQuery(filter) };
    return await run(context, { request, read: parseAnnotations });
}
/**
 * @returns the annotation with the key alone, or none, where the service honors keys; otherwise what the filter says
 */
async function listWithKey(context, filter, key) {
    const request = { method: 'GET', path: ANNOTATIONS_PATH + toQuery(filter), headers: { [ANNOTATION_KEY_HEADER]: key } };
    const read = (reply) => ({
        annotations: parseAnnotations(reply),
        isHonored: readHints(context.connection, reply).key === key,
    });
    return await run(context, { request, read });
}
async function getAnnotation(context, id) {
    return await run(context, { request: { method: 'GET', path: annotationPath(id) }, read: parseAnnotation });
}
/** @param recover what to do where an answer was lost; without it the create is simply repeated */
async function postAnnotation(context, annotation, { headers, recover }) {
    const request = { method: 'POST', path: ANNOTATIONS_PATH, body: JSON.stringify(annotation), headers };
    return await run(context, { request, read: readStored(context), ...(recover && { recover }) });
}
async function changeAnnotation(context, id, change) {
    const request = { method: 'PUT', path: annotationPath(id), body: JSON.stringify(change) };
    return await run(context, { request, read: readStored(context) });
}
/** One that a lost earlier try of this call has deleted is not an error. */
async function deleteAnnotation(context, id) {
    let wasRepeated = false;
    const onRetry = (failure, waitMs) => {
        wasRepeated = true;
        context.options.onRetry?.(failure, waitMs);
    };
    const request = { method: 'DELETE', path: annotationPath(id) };
    try {
        await run({ ...context, options: { ...context.options, onRetry } }, { request, read: parseNothing });
    }
    catch (error) {
        if (!(wasRepeated && error instanceof NotFoundError))
            throw error;
    }
}
function run({ connection, options, budget }, call) {
    const headers = { ...call.request.headers, ...(options.members === 'all' && PREFER_ALL_MEMBERS) };
    return runCall(connection, { ...call, request: { ...call.request, headers }, budget }, options);
}
function readStored({ connection, options }) {
    return (reply) => {
        const annotation = parseAnnotation(reply);
        const hints = readHints(connection, reply);
        if (Object.keys(hints).length > 0)
            options.onHints?.(hints);
        return { annotation, isNew: reply.status === 201, hints };
    };
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
function parseAnnotation(reply) {
    const body = reply_parseJson(reply);
    if (!isAnnotation(body))
        throw reply_unexpected(reply, 'an annotation with an id');
    return body;
}
function parseAnnotations(reply) {
    const body = reply_parseJson(reply);
    if (!Array.isArray(body) || !body.every(isAnnotation))
        throw reply_unexpected(reply, 'a list of annotations');
    return body;
}
function isAnnotation(body) {
    if (typeof body !== 'object' || body === null)
        return false;
    const { id, datasets, time, type } = body;
    const texts = [time, type].every((value) => typeof value === 'string');
    return typeof id === 'string' && ID_PATTERN.test(id) && texts && isTextList(datasets);
}
function isTextList(value) {
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

;// CONCATENATED MODULE: ./packages/contract/lib/timestamp.js
/**
 * Timestamps of the wire contract: text to nanoseconds since the Unix epoch and back.
 * One reader for the step, the client and the service, so that all three agree on every spelling.
 * Deliberately not here: the clock, and spellings that only one interface takes (`now`, epoch numbers, `now-1h`).
 */
/** The accepted forms, for messages about a rejected timestamp. */
const TIMESTAMP_FORMS = 'an RFC 3339 / ISO 8601 time such as 2026-01-31T12:00:00Z, 2026-01-31T13:00:00.123456789+01:00 or 2026-01-31';
const NS_PER_SECOND = 1000000000n;
const NS_PER_MS = 1000000n;
/** First and last instant the service can hold: the range of a 64-bit nanosecond column (DateTime64(9)). */
const STORABLE_FIRST_NS = BigInt(Date.UTC(1900, 0, 1)) * NS_PER_MS;
const STORABLE_LAST_NS = 9223372036854775807n;
/*
 * date [ (T|t|space) hour:minute[:second[(.|,)1–9 digits]] [ Z|z | ±hh[[:]mm] ] ]
 * The basic form without separators (20260131T120000Z, what `date +%Y%m%dT%H%M%SZ` prints) is ISO 8601 too;
 * the back references make a text use one form throughout.
 */
const SHAPE = /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:[Tt ](?<hour>\d\d)(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?:[Zz]|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)?)?$/;
/**
 * Reads a timestamp. No zone means UTC, a date alone means its midnight, and a leap second counts as the second before it.
 * @returns nanoseconds since 1970-01-01T00:00:00Z, or `undefined` where the text is not one of {@link TIMESTAMP_FORMS}
 *   (a day that does not exist, ten fraction digits, spaces around it). The year may lie outside of what the service stores.
 */
function parseTimestamp(text) {
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
    // Each calculation with a bigint costs as much as all of those with numbers; lists have thousands of times.
    const rest = Number(ns % NS_PER_SECOND);
    const fraction = rest < 0 ? rest + 1e9 : rest;
    const seconds = Number(ns / NS_PER_SECOND) - (rest < 0 ? 1 : 0);
    const whole = new Date(seconds * 1_000).toISOString().slice(0, 19);
    return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(9, '0').replace(/0+$/, '')}Z`;
}
/** Writes an instant in milliseconds since the epoch as {@link formatTimestamp} does. */
function formatMillis(ms) {
    return timestamp_formatTimestamp(BigInt(ms) * NS_PER_MS);
}
/** Whether the service can hold this instant. */
function isStorable(ns) {
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

;// CONCATENATED MODULE: ./packages/client/lib/identity.js


/**
 * A random key for one request and its repeats. Nobody gains from guessing one: all it has to be is unlike the others of its
 * token. So it does without `node:crypto`, which takes a process that asks once longer to load than asking.
 */
function newIdempotencyKey() {
    const part = () => Math.floor(Math.random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return `${part()}${part()}${part()}${part()}`;
}
/** How far from the annotation's own time a lookup searches: services may cut the digits of a time. */
const LOOKUP_WINDOW_NS = 1000000000n;
/** Now, to the nanosecond: the digits below the clock's millisecond are random, so that no two marks are alike. */
function markNow(clock = systemClock) {
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
    const ns = parseTimestamp(time);
    return ns === undefined ? undefined : ns / 1000n;
}
/** The window and the datasets in which an annotation that was sent must be listed. */
function around({ time, datasets }) {
    const ns = parseTimestamp(time);
    if (ns === undefined)
        return { datasets };
    return { start: timestamp_formatTimestamp(ns - LOOKUP_WINDOW_NS), end: timestamp_formatTimestamp(ns + LOOKUP_WINDOW_NS), datasets };
}

;// CONCATENATED MODULE: ./packages/client/lib/create-once.js
/**
 * A create that takes effect once, however often its request has to be sent: where it is not known whether one took effect, the
 * annotation is looked for before it is sent again.
 */




/** Pauses before the first and the second lookup: a commit that was under way when the connection broke needs a moment. */
const LOOKUP_PAUSES_MS = [250, 1_000];
/** Creates that may follow an ambiguous one unseen, where the token may not list. */
const BLIND_RESENDS_MAX = 1;
/** A service that honors the key recognizes a create that is sent again. */
function newIdempotencyHeaders(key = newIdempotencyKey()) {
    return { [IDEMPOTENCY_KEY_HEADER]: key };
}
/** @param annotation its time is chosen: all tries send the same */
function createOnce(context, annotation, headers = newIdempotencyHeaders()) {
    const { connection, options, budget } = context;
    let blindResends = 0;
    async function recover() {
        try {
            for (const pauseMs of LOOKUP_PAUSES_MS) {
                await connection.clock.sleep(Math.min(pauseMs, budget.remainingMs), budget.signal);
                const found = (await listAnnotations(context, around(annotation))).find((listed) => isSame(listed, annotation));
                if (found)
                    return { found: { annotation: found, isNew: true, hints: {} } };
            }
            return 'absent';
        }
        catch (failure) {
            budget.signal.throwIfAborted();
            if (!(failure instanceof AuthError) || blindResends++ >= BLIND_RESENDS_MAX)
                return 'give-up';
            options.onRetry?.(failure, 0);
            return 'unknown';
        }
    }
    return postAnnotation(context, annotation, { headers, recover });
}

;// CONCATENATED MODULE: ./packages/client/lib/key-line.js
/**
 * The key of an annotation in its own description, for services that do not know keys: a last line that Markdown does not show.
 */


const KEY_LINE = /(?:^|\n\n)(\[\/\/\]: # \(key: [^\s()]*\))$/;
/** @returns the description with the key at its end, the text before it cut to what there is room for */
function addKeyLine(description, key) {
    return joinKeyLine(description ?? '', `[//]: # (key: ${escapeKey(key)})`);
}
function hasKey({ description }, key) {
    return splitKeyLine(description ?? '').keyLine === `[//]: # (key: ${escapeKey(key)})`;
}
/** @returns what people wrote, and the line with the key, which is empty where there is none */
function splitKeyLine(description) {
    const found = KEY_LINE.exec(description);
    return found ? { text: description.slice(0, found.index), keyLine: found[1] ?? '' } : { text: description, keyLine: '' };
}
/** The text is cut where both do not fit. */
function joinKeyLine(text, keyLine) {
    if (keyLine === '' || text === '')
        return text + keyLine;
    return `${cutText(text, DESCRIPTION_POINTS_MAX - text_countPoints(keyLine) - 2)}\n\n${keyLine}`;
}
/** A title in parentheses ends at the first one that closes them. */
function escapeKey(key) {
    return encodeURIComponent(key).replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

;// CONCATENATED MODULE: ./packages/client/lib/put-by-key.js






/** How far back others are looked for: a run can be repeated for 30 days. */
const LOOK_BACK_NS = 35n * 86400000000000n;
/** And ahead: clocks differ, and a time may be given. */
const LOOK_AHEAD_NS = 86400000000000n;
/** What is to be changed may be removed by another job at that moment; with three tries it is another's fault. */
const TRIES_MAX = 3;
/** @returns what is stored for the key; `isNew` where there was nothing */
async function putByKey(context, key, annotation) {
    const found = await look(context, key, annotation);
    if (found === 'not allowed') {
        const stored = await createOnce(context, annotation, { [ANNOTATION_KEY_HEADER]: key });
        if (stored.hints.key === key)
            return stored;
        context.options.onHints?.({
            notice: `the token may not list annotations, so whether there is another one with the key "${key}" is not known`,
        });
        return stored;
    }
    if (found.isHonored)
        return await postAnnotation(context, annotation, { headers: { [ANNOTATION_KEY_HEADER]: key } });
    const marked = { ...annotation, description: addKeyLine(annotation.description, key) };
    let earlier = copiesOf(found.annotations, key);
    for (let tries = 1;; tries++) {
        try {
            return await putAmong(context, key, { marked, earlier });
        }
        catch (error) {
            if (!(error instanceof NotFoundError) || tries === TRIES_MAX)
                throw error;
            earlier = await findByKey(context, key, marked);
        }
    }
}
/** The service does not know keys: its annotations are compared. */
async function putAmong(context, key, { marked, earlier }) {
    const [first] = earlier;
    // An end cannot be unset: a span that is to be open again is a new one.
    if (first && (first.endTime === undefined || marked.endTime !== undefined)) {
        const changed = await changeAnnotation(context, first.id, marked);
        await removeCopies(context, earlier.slice(1));
        return { ...changed, isNew: false };
    }
    await removeCopies(context, earlier);
    const created = await createOnce(context, marked);
    const copies = await findByKey(context, key, marked);
    const kept = copies[0]?.id ?? created.annotation.id;
    await removeCopies(context, copies.filter(({ id }) => id !== kept));
    if (kept === created.annotation.id)
        return { ...created, isNew: first === undefined };
    return { ...(await changeAnnotation(context, kept, marked)), isNew: false };
}
async function look(context, key, annotation) {
    try {
        return await listWithKey(context, put_by_key_around(annotation), key);
    }
    catch (error) {
        if (error instanceof AuthError && error.status === 403)
            return 'not allowed';
        throw error;
    }
}
/** @returns those with the key: one at most where the service knows keys, and elsewhere the one that counts first */
async function findByKey(context, key, near) {
    const { annotations, isHonored } = await listWithKey(context, put_by_key_around(near), key);
    return isHonored ? annotations : copiesOf(annotations, key);
}
/** @returns those with the key, in an order in which all who look agree on the first, whatever is changed of them */
function copiesOf(listed, key) {
    return listed.filter((annotation) => hasKey(annotation, key)).sort((a, b) => (a.id < b.id ? -1 : 1));
}
async function removeCopies(context, copies) {
    for (const { id } of copies) {
        await deleteAnnotation(context, id).catch((error) => {
            // Another job has seen the same copies.
            if (!(error instanceof NotFoundError))
                throw error;
        });
    }
}
function put_by_key_around({ time }) {
    const ns = parseTimestamp(time) ?? 0n;
    return { start: timestamp_formatTimestamp(ns - LOOK_BACK_NS), end: timestamp_formatTimestamp(ns + LOOK_AHEAD_NS) };
}

;// CONCATENATED MODULE: ./packages/client/lib/annotations.js






function createAnnotationsClient(connection) {
    const timed = (annotation) => ({
        ...annotation,
        time: annotation.time ?? markNow(connection.clock),
    });
    const start = (options) => startContext(connection, options);
    return {
        async create(annotation, options = {}) {
            const headers = newIdempotencyHeaders(options.idempotencyKey);
            return (await createOnce(start(options), timed(annotation), headers)).annotation;
        },
        async put(key, annotation, options = {}) {
            const { annotation: stored, isNew } = await putByKey(start(options), checkKey(key), timed(annotation));
            return { annotation: stored, isNew };
        },
        listByKey: (key, near = {}, options = {}) => findByKey(start(options), checkKey(key), timed(near)),
        list: (filter = {}, options = {}) => listAnnotations(start(options), filter),
        get: (id, options = {}) => getAnnotation(start(options), id),
        change: async (id, change, options = {}) => (await changeAnnotation(start(options), id, change)).annotation,
        delete: (id, options = {}) => deleteAnnotation(start(options), id),
    };
}
function checkKey(key) {
    if (header_ANNOTATION_KEY_PATTERN.test(key))
        return key;
    throw new ConfigError(`the key ${JSON.stringify(key)} is not ${header_ANNOTATION_KEY_FORM}`);
}

;// CONCATENATED MODULE: ./packages/contract/lib/loopback.js
/**
 * Which hosts only this machine reaches. Names below `.localhost` are not among them, because a resolver may send those elsewhere.
 */
/** @param host a name or an address in lower case, an IPv6 address with or without its brackets */
function isLoopback(host) {
    return /^(?:localhost|::1|\[::1\]|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3})$/.test(host);
}

;// CONCATENATED MODULE: ./packages/client/lib/redact.js
/**
 * Takes the token out of texts that came from outside: a service may echo it in an error, in any spelling.
 */
const SHOWN_INSTEAD = '***';
/** @returns a function that replaces every spelling of the token that it knows in a text */
function createRedactor(token) {
    let pattern;
    return (text) => {
        // Made when the first text comes: most processes get none.
        pattern ??= new RegExp(spell(token).map(escapeRegExp).join('|'), 'gi');
        return text.replace(pattern, SHOWN_INSTEAD);
    };
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
/**
 * A connection to one service: settings checked once, and shared by all calls of one client.
 */





const DEFAULT_BASE_URL = 'https://api.axiom.co';
const DEFAULT_TIMEOUT_MS = 30_000;
/**
 * @param createTransport what carries the requests unless the options have it; a bundle has only what is named here
 * @throws ConfigError where a setting is unusable; nothing is sent here
 */
function openConnection(options, createTransport) {
    const token = checkToken(options.token);
    const baseUrl = parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL, options.allowHttp ?? false);
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    if (!(timeoutMs > 0))
        throw new ConfigError(`timeoutMs must be greater than 0, got ${timeoutMs}`);
    const transport = options.transport ?? createTransport(baseUrl);
    return {
        transport,
        baseUrl,
        token,
        userAgent: options.userAgent ?? USER_AGENT,
        redact: createRedactor(token),
        clock: options.clock ?? systemClock,
        timeoutMs,
        [Symbol.asyncDispose]: () => transport.close(),
    };
}
/** The message never shows the token, nor a part of it. @throws ConfigError */
function checkToken(token) {
    if (token === '')
        throw new ConfigError('the token is empty');
    const index = token.search(/[^\x21-\x7e]/);
    if (index !== -1) {
        const code = (token.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
        throw new ConfigError(`the token contains a space, control or non-ASCII character (U+${code} at position ${index + 1})`);
    }
    return token;
}
/** @throws ConfigError */
function parseBaseUrl(text, allowHttp) {
    const shown = JSON.stringify(String(text).replace(/\/\/[^/@]*@/, '//***@'));
    if (!URL.canParse(String(text)))
        throw new ConfigError(`baseUrl ${shown} is not an absolute URL such as ${DEFAULT_BASE_URL}`);
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new ConfigError(`baseUrl ${shown} must begin with https://`);
    if (url.username || url.password)
        throw new ConfigError(`baseUrl ${shown} must not contain a user name or password`);
    if (url.search || url.hash)
        throw new ConfigError(`baseUrl ${shown} must not contain a query or fragment`);
    if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
        throw new ConfigError(`baseUrl ${shown} would send the token over the network unencrypted; use https://, or set allowHttp to accept that`);
    }
    return url;
}

;// CONCATENATED MODULE: ./packages/contract/lib/dataset.js
/**
 * Datasets: their paths, and the bounds of their members. The shapes are in schemas/dataset.ts.
 * Deliberately not here: which name is wrong in a list of names, and how a query quotes a name.
 */

const DATASETS_PATH = '/v2/datasets';
/** The same endpoints for clients of the first version; ingest and the legacy query are only there. */
const dataset_DATASETS_V1_PATH = '/v1/datasets';
/** Where editors read the fields of all datasets at once. */
const ALL_FIELDS_PATH = `${dataset_DATASETS_V1_PATH}/_fields`;
/** @returns the path of one dataset, its name escaped */
function datasetPath(name) {
    return `${DATASETS_PATH}/${text_toSegment(name)}`;
}
function trimPath(name) {
    return `${datasetPath(name)}/trim`;
}
function fieldsPath(name) {
    return `${datasetPath(name)}/fields`;
}
function infoPath(name) {
    return `${dataset_DATASETS_V1_PATH}/${text_toSegment(name)}/info`;
}
function mapFieldsPath(dataset) {
    return `${datasetPath(dataset)}/mapfields`;
}
/** @returns the path of one map field, its name escaped */
function mapFieldPath(dataset, field) {
    return `${mapFieldsPath(dataset)}/${toSegment(field)}`;
}
/** The kinds of datasets. All hold events in the same way, and no query depends on the kind. The first is the default. */
const DATASET_KINDS = (/* unused pure expression or super */ null && (['axiom:events:v1', 'otel:traces:v1', 'otel:logs:v1']));
const EDGE_DEPLOYMENT_LENGTH_MAX = 128;
/** How many map fields one dataset can have. */
const MAP_FIELDS_MAX = 256;
const MAP_FIELD_LENGTH_MAX = 200;
/** Names that begin with two underscores are reserved. */
const MAP_FIELD_PATTERN = /^(?!__)[\s\S]+$/;
/** The longest description, in Unicode code points. */
const DATASET_DESCRIPTION_POINTS_MAX = 512;
/** A hundred years: longer than the span of time that can be stored reaches back from now. */
const RETENTION_DAYS_MAX = 36_525;

;// CONCATENATED MODULE: ./packages/client/lib/resources.js
/**
 * What the clients of most resources have in common: a request whose answer is one object or a list of them, known by one text
 * member. Deliberately not here: rules of any resource.
 */


/** @returns a function that asks for what is at a path, again where that may help */
function createAsk(connection) {
    return (method, path, { body, headers, read, options, isSentOnce }) => {
        const request = {
            method,
            path,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            ...(headers === undefined ? {} : { headers }),
        };
        const call = { request, read, ...(isSentOnce ? { recover: async () => 'give-up' } : {}) };
        return runCall(connection, call, options ?? {});
    };
}
/** @returns what reads one object that has this member as a text */
function oneWith(member) {
    return (reply) => {
        const body = reply_parseJson(reply);
        if (!hasText(body, member))
            throw reply_unexpected(reply, `an object with the member ${member}`);
        return body;
    };
}
/** @returns what reads a list of such objects */
function listWith(member) {
    return (reply) => {
        const body = reply_parseJson(reply);
        const isList = Array.isArray(body) && body.every((item) => hasText(item, member));
        if (!isList)
            throw reply_unexpected(reply, `a list of objects with the member ${member}`);
        return body;
    };
}
/** Reads a list of texts. @throws ProtocolError */
function parseTexts(reply) {
    const body = parseJson(reply);
    if (!Array.isArray(body) || !body.every((item) => typeof item === 'string'))
        throw unexpected(reply, 'a list of texts');
    return body;
}
function hasText(value, member) {
    return typeof value === 'object' && value !== null && typeof value[member] === 'string';
}

;// CONCATENATED MODULE: ./packages/contract/lib/token.js
/**
 * Tokens: their paths, and what one may be allowed to do, in two forms: permissions, and the capabilities of the hosted service. A token
 * that names datasets reaches no others: what it may do to annotations, monitors and datasets is about those it names, and what it may do
 * to one of them (ingest, query, trim …) is said for each. The shapes are in schemas/token.ts. Pure.
 */

const TOKENS_PATH = '/v2/tokens';
/** @returns the path of one token, its id escaped */
function tokenPath(id) {
    return `${TOKENS_PATH}/${toSegment(id)}`;
}
function regeneratePath(id) {
    return `${tokenPath(id)}/regenerate`;
}
const USER_PATH = '/v2/user';
const OWN_PERMISSIONS_PATH = `${USER_PATH}/permissions`;
/**
 * What an API token may be allowed to do, named `resource|action`. A personal token may do everything. Each is a capability as well
 * (see below): of datasets where its resource is one of theirs, otherwise of the organization.
 */
const PERMISSIONS = (/* unused pure expression or super */ null && ([
    'annotations|create',
    'annotations|read',
    'annotations|update',
    'annotations|delete',
    'ingest|create',
    'query|read',
    'datasets|create',
    'datasets|read',
    'datasets|update',
    'datasets|delete',
    'trim|update',
    'virtualFields|create',
    'virtualFields|read',
    'virtualFields|update',
    'virtualFields|delete',
    'monitors|create',
    'monitors|read',
    'monitors|update',
    'monitors|delete',
    'integrations|create',
    'integrations|read',
    'integrations|update',
    'integrations|delete',
    'views|create',
    'views|read',
    'views|update',
    'views|delete',
    'apiTokens|create',
    'apiTokens|read',
    'apiTokens|update',
    'apiTokens|delete',
]));
const TOKEN_KINDS = (/* unused pure expression or super */ null && (['api', 'personal']));
const TOKEN_ID_PATTERN = /^tok_[A-Za-z0-9_-]{1,64}$/;
/** The longest texts, in Unicode code points. */
const TOKEN_NAME_POINTS_MAX = 256;
const TOKEN_DESCRIPTION_POINTS_MAX = 512;
const ALL_ACTIONS = ['create', 'read', 'update', 'delete'];
/*
 * The capabilities of API tokens, in the names and with the actions of the hosted service's OpenAPI document (v2, read 2026-11). Those
 * of resources that this service does not have (starred queries, users …) may be given as well, because Terraform files name them:
 * there is nothing here that they would allow.
 */
/** The actions that a token can be given for one dataset or for all, by resource. */
const DATASET_CAPABILITIES = {
    ingest: ['create'],
    query: ['read'],
    data: ['delete'],
    share: ['create', 'read', 'delete'],
    starredQueries: ALL_ACTIONS,
    trim: ['update'],
    vacuum: ['update'],
    virtualFields: ALL_ACTIONS,
};
/** The actions that a token can be given for everything else that the service has, by resource. */
const ORG_CAPABILITIES = {
    annotations: ALL_ACTIONS,
    apiTokens: ALL_ACTIONS,
    auditLog: ['read'],
    billing: ['read', 'update'],
    dashboards: ALL_ACTIONS,
    datasets: ALL_ACTIONS,
    endpoints: ALL_ACTIONS,
    flows: ALL_ACTIONS,
    integrations: ALL_ACTIONS,
    monitors: ALL_ACTIONS,
    notifiers: ALL_ACTIONS,
    rbac: ALL_ACTIONS,
    sharedAccessKeys: ['read', 'update'],
    users: ALL_ACTIONS,
    views: ALL_ACTIONS,
};
/** A name that stands for every dataset, those to come included. */
const ALL_DATASETS = '*';
/** How many datasets one token can name. */
const TOKEN_DATASETS_MAX = 1_000;
/**
 * @param names the only datasets that the permissions are for
 * @returns the same as capabilities; those of datasets are given for each of `names`
 */
function capabilitiesOf(permissions, names = [ALL_DATASETS]) {
    const given = (isOfDataset) => {
        const capability = {};
        for (const permission of permissions) {
            const [resource = '', action = ''] = permission.split('|');
            if (Object.hasOwn(DATASET_CAPABILITIES, resource) === isOfDataset)
                capability[resource] = [...(capability[resource] ?? []), action];
        }
        return capability;
    };
    const ofDatasets = given(true);
    const isLimited = !names.includes(ALL_DATASETS);
    const named = isLimited || Object.keys(ofDatasets).length > 0 ? names : [];
    return { datasets: Object.fromEntries(named.map((name) => [name, ofDatasets])), org: given(false) };
}
/**
 * Whether a token may do something.
 * @param dataset the dataset it is done to; without it, whether there is any dataset to which it may be done
 */
function isCapable({ datasets, org }, permission, dataset) {
    const [resource = '', action = ''] = permission.split('|');
    if (!Object.hasOwn(DATASET_CAPABILITIES, resource)) {
        const limit = datasetsOf({ datasets });
        return hasAction(org, resource, action) && (dataset === undefined || (limit?.includes(dataset) ?? true));
    }
    if (dataset === undefined)
        return Object.values(datasets).some((given) => hasAction(given, resource, action));
    return [dataset, ALL_DATASETS].some((name) => hasAction(ownMember(datasets, name), resource, action));
}
/** @returns the only datasets that a token reaches, or `undefined` if it reaches all */
function datasetsOf({ datasets }) {
    const names = Object.keys(datasets);
    return names.length === 0 || names.includes(ALL_DATASETS) ? undefined : names;
}
function hasAction(given, resource, action) {
    return (given && ownMember(given, resource)?.includes(action)) ?? false;
}
/** Reads a member by a name from outside: a dataset may be called `constructor`, which every object has. */
function ownMember(of, name) {
    return Object.hasOwn(of, name) ? of[name] : undefined;
}

;// CONCATENATED MODULE: ./packages/client/lib/user.js



function createUserClient(connection) {
    const ask = createAsk(connection);
    return {
        get: (options) => ask('GET', USER_PATH, { read: oneWith('name'), options }),
        permissions: (options) => ask('GET', OWN_PERMISSIONS_PATH, { read: parsePermissions, options }),
    };
}
function parsePermissions(reply) {
    const body = reply_parseJson(reply);
    if (!Array.isArray(body?.permissions))
        throw reply_unexpected(reply, 'a list of permissions');
    return body;
}

;// CONCATENATED MODULE: ./packages/client/lib/datasets.js
/**
 * Datasets: made, described, emptied and deleted, and what is in them.
 */




const parseDataset = oneWith('name');
function createDatasetsClient(connection) {
    const ask = createAsk(connection);
    return {
        create: (body, options) => ask('POST', DATASETS_PATH, { body, read: parseDataset, options }),
        list: (options) => ask('GET', DATASETS_PATH, { read: listWith('name'), options }),
        get: (name, options) => ask('GET', datasetPath(name), { read: parseDataset, options }),
        change: (name, body, options) => ask('PUT', datasetPath(name), { body, read: parseDataset, options }),
        delete: (name, options) => ask('DELETE', datasetPath(name), { read: parseNothing, options }),
        trim: (name, maxDuration, options) => ask('POST', trimPath(name), { body: { maxDuration }, read: parseNothing, options }),
        fields: (name, options) => ask('GET', fieldsPath(name), { read: listWith('name'), options }),
        allFields: (options) => ask('GET', ALL_FIELDS_PATH, { read: listWith('datasetName'), options }),
        info: (name, options) => ask('GET', infoPath(name), { read: oneWith('name'), options }),
        user: createUserClient(connection).get,
    };
}

;// CONCATENATED MODULE: ./packages/contract/lib/exact-json.js
/**
 * JSON whose integers survive: those that a double cannot hold are `bigint`, in both directions. Decimals become what JSON.parse makes
 * of them, because the service stores them in 64 bits as well.
 * Versions of Node and browsers differ in whether they give the text of a number (`context.source`, `JSON.rawJSON`), and a function that
 * is called for every value is slow; so such integers cross JSON.parse and JSON.stringify as strings after a mark that no other string has.
 * Deliberately not here: which error a caller makes of a text that is not JSON.
 */
/** Matches every integer beyond 2^53, and others; the digits of a decimal and of an exponent are left out. */
const MAY_BE_BIG = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const MARK = '\uE000';
/** The character of the mark and the escape that reads back to it. */
const MARKS = /(?:\uE000|\\u[eE]000)+/g;
/** @throws SyntaxError as JSON.parse does */
function parseExact(text) {
    const rounded = JSON.parse(text);
    const integers = findBigIntegers(text);
    if (integers.length === 0)
        return rounded;
    const mark = chooseMark(text);
    const parts = [];
    let copied = 0;
    for (const { start, end } of integers) {
        parts.push(text.slice(copied, start), '"', mark, text.slice(start, end), '"');
        copied = end;
    }
    parts.push(text.slice(copied));
    return readMarks(JSON.parse(parts.join('')), mark);
}
/**
 * @param indent spaces per level, for a text that people read
 * @throws TypeError for what cannot be JSON: a function, a value that contains itself
 */
function stringifyExact(value, indent) {
    const first = stringifyMarked(value, MARK, indent);
    if (first.integers === 0)
        return first.text;
    // If texts of the value contain the mark as well, a longer one is used.
    const isOurs = first.text.split(MARK).length - 1 === first.integers;
    const mark = isOurs ? MARK : chooseMark(first.text);
    const { text } = isOurs ? first : stringifyMarked(value, mark, indent);
    return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
function stringifyMarked(value, mark, indent) {
    let integers = 0;
    const text = JSON.stringify(value, (_key, item) => {
        if (typeof item !== 'bigint')
            return item;
        integers++;
        return mark + item;
    }, indent);
    if (text === undefined)
        throw new TypeError(`${typeof value} is not a JSON value`);
    return { text, integers };
}
/** @param text valid JSON @returns where integers beyond 2^53 are, outside of strings */
function findBigIntegers(text) {
    const found = [];
    let quote = text.indexOf('"');
    let stringEnd = -1;
    for (const match of text.matchAll(MAY_BE_BIG)) {
        const [digits] = match;
        while (quote !== -1 && quote < match.index) {
            stringEnd = findStringEnd(text, quote);
            quote = text.indexOf('"', stringEnd);
        }
        if (match.index < stringEnd || Number.isSafeInteger(Number(digits)))
            continue;
        found.push({ start: match.index, end: match.index + digits.length });
    }
    return found;
}
/** @returns the index after the closing quote of the string that opens at `quote` */
function findStringEnd(text, quote) {
    for (let at = text.indexOf('"', quote + 1);; at = text.indexOf('"', at + 1)) {
        let backslashes = 0;
        while (text[at - 1 - backslashes] === '\\')
            backslashes++;
        if (backslashes % 2 === 0)
            return at + 1;
    }
}
/** @returns more marks in a row than the text has anywhere */
function chooseMark(text) {
    let longest = 0;
    for (const [run] of text.matchAll(MARKS))
        longest = Math.max(longest, run.replace(/\\u[eE]000/g, MARK).length);
    return MARK.repeat(longest + 1);
}
/** Puts integers in the place of strings that begin with the mark; without recursion, for any depth that JSON.parse takes. */
function readMarks(parsed, mark) {
    const root = [parsed];
    const open = [root];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
        const members = one;
        for (const key of Object.keys(members)) {
            const value = members[key];
            if (typeof value === 'object' && value !== null)
                open.push(value);
            else if (typeof value === 'string' && value.startsWith(mark))
                members[key] = BigInt(value.slice(mark.length));
        }
    }
    return root[0];
}

;// CONCATENATED MODULE: ./packages/contract/lib/query.js
/**
 * Queries: their paths, and the closed lists of what is asked and answered in either format. The shapes are in schemas/query.ts and
 * schemas/legacy-query.ts.
 */


/** The header of the answer to a query with `saveAsKind`: the id under which the query was saved. */
const HISTORY_QUERY_ID_HEADER = 'x-axiom-history-query-id';
const SAVED_QUERIES_PATH = (/* unused pure expression or super */ null && (`${DATASETS_V1_PATH}/_history`));
/** @returns the path of one saved query, its id escaped */
function savedQueryPath(id) {
    return `${SAVED_QUERIES_PATH}/${toSegment(id)}`;
}
const QUERY_PATH = `${dataset_DATASETS_V1_PATH}/_apl`;
/** The same endpoint at the address that clients of the edge use. */
const QUERY_SHORT_PATH = '/v1/query/_apl';
/** @returns the query endpoint with the format of its answer */
function queryPath(format) {
    return `${QUERY_PATH}?format=${format}`;
}
/** @returns where one dataset is asked in the legacy form, its name escaped */
function legacyQueryPath(dataset) {
    return `${dataset_DATASETS_V1_PATH}/${text_toSegment(dataset)}/query`;
}
/** Where editors read the names of the query language, to complete them. Their shape is in schemas/language.ts. */
const LANGUAGE_PATH = '/v2/language';
const QUERY_FORMATS = (/* unused pure expression or super */ null && (['tabular', 'legacy']));
/** What a query is saved as: one of the query language, or a legacy one that asked for aggregations or for rows. */
const QUERY_KINDS = (/* unused pure expression or super */ null && (['apl', 'analytics', 'stream']));
const SAVED_QUERY_ID_PATTERN = /^qry_[0-9a-f]{24}$/;
/** The column with each row's cursor, in answers to queries that ask for it. No field of an event has this name. */
const CURSOR_COLUMN = '_cursor';
/** The operators that combine filters. */
const LEGACY_COMBINATIONS = (/* unused pure expression or super */ null && (['and', 'or', 'not']));
/** The operators of a filter that tests a field. */
// biome-ignore format: a list
const LEGACY_TESTS = (/* unused pure expression or super */ null && ([
    '==', '!=', '>', '>=', '<', '<=', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'exists', 'not-exists', 'starts-with', 'not-starts-with',
    'ends-with', 'not-ends-with', 'contains', 'not-contains', 'regexp', 'not-regexp',
]));
// biome-ignore format: a list
const LEGACY_AGGREGATIONS = (/* unused pure expression or super */ null && ([
    'count', 'distinct', 'sum', 'avg', 'min', 'max', 'topk', 'percentiles', 'histogram', 'standardDeviation', 'stdev', 'variance', 'argmin',
    'argmax', 'makeset', 'makelist', 'rate', 'distinctif', 'countif', 'sumif', 'avgif', 'minif', 'maxif',
]));

;// CONCATENATED MODULE: ./packages/contract/lib/duration.js
/**
 * Lengths of time: the units that every text counts in, durations as Go writes them, and how a length is shown to people.
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
/** One part of a duration. Micro may be written with either of the two letters that look alike, as in Go. */
const PART = /(\d{1,9})(ns|us|µs|μs|ms|s|m|h|d)/g;
const DURATION_PATTERN = new RegExp(`^(?:${PART.source})+$`);
/**
 * Reads a duration such as `720h`, `1h30m` or `7d`: what Go writes of whole numbers, and days besides.
 * @returns nanoseconds, or `undefined` if the text is not one (a fraction, a sign, a number without a unit)
 */
function parseDuration(text) {
    if (!DURATION_PATTERN.test(text))
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

;// CONCATENATED MODULE: ./packages/contract/lib/relative-time.js
/**
 * Times relative to now, as queries take them for their interval: `now`, `now-1h`, `now + 20s`. One reader for the service, for the
 * client (which takes them once for all pages of a query) and for the page.
 * Deliberately not here: the clock, absolute times (timestamp.ts), and what a query's own text says of now.
 */

/** The accepted forms, for messages about a rejected time. */
const RELATIVE_FORMS = 'now, now-1h, now-1d (s m h d w)';
/** Its groups have no names, so that the generators that read it in `/openapi.json` know its syntax. */
const RELATIVE_TIME_PATTERN = /^now(?:\s*([+-])\s*(\d{1,9})([smhdw]))?$/;
/** The starts of the years 1 and 9999: a time beyond them could not be written again, and nothing is stored there. */
const FIRST_NS = -62135596800n * UNIT_NS.s;
const LAST_NS = 253370764800n * UNIT_NS.s;
/**
 * @param nowNs what "now" stands for, in nanoseconds since the epoch; see {@link endOfMillisecond}
 * @returns nanoseconds since the epoch, or `undefined` if the text is not a relative time
 */
function parseRelativeTime(text, nowNs) {
    const found = RELATIVE_TIME_PATTERN.exec(text);
    if (!found)
        return undefined;
    const [, sign, count = '0', unit = 's'] = found;
    const distanceNs = BigInt(count) * UNIT_NS[unit];
    return withinYears(sign === '-' ? nowNs - distanceNs : nowNs + distanceNs);
}
/**
 * The instant that "now" stands for: the end of this millisecond, because events that were stored with this millisecond
 * as their time are there, and an interval up to now has to hold them.
 */
function endOfMillisecond(nowMs) {
    return (BigInt(nowMs) + 1n) * UNIT_NS.ms;
}
/** @returns the nearest instant that can be written as a timestamp */
function withinYears(ns) {
    return ns < FIRST_NS ? FIRST_NS : ns > LAST_NS ? LAST_NS : ns;
}

;// CONCATENATED MODULE: ./packages/client/lib/query.js
/**
 * Queries: one answer, or page after page by cursor.
 */






/** Tens of thousands of wide rows. */
const query_REPLY_BYTES_MAX = 512 * 1024 * 1024;
function createQueryClient(connection) {
    const post = (path, body, read, options) => {
        const request = {
            method: 'POST',
            path,
            body: stringifyExact(body),
            attemptShare: 1,
            replyBytesMax: query_REPLY_BYTES_MAX,
        };
        // A query that took too long takes as long again.
        return runCall(connection, { request, read, isFinal: ({ status }) => status === 408 || status === 504 }, options);
    };
    function query(apl, options = {}) {
        const { signal, timeoutMs, onRetry, countMatches, saveAsKind, ...members } = options;
        // A service that knows nothing of it overlooks a parameter, and might refuse a member.
        const counting = typeof countMatches === 'boolean' ? `&countMatches=${countMatches}` : '';
        return post(queryPath('tabular') + counting + saving('&', saveAsKind), { apl, ...members }, parseQueryResult, options);
    }
    async function* pages(apl, options) {
        const { pagesMax = Number.POSITIVE_INFINITY, ...rest } = options;
        const nowNs = endOfMillisecond(connection.clock.now());
        const interval = { startTime: freeze(options.startTime, nowNs), endTime: freeze(options.endTime, nowNs) };
        let cursor = options.cursor;
        for (let page = 0; page < pagesMax; page++) {
            const result = await query(apl, { ...rest, ...interval, ...(cursor === undefined ? {} : { cursor }) });
            if (countRows(result) === 0)
                return 'empty-page';
            const next = isAscending(result) ? result.status.maxCursor : result.status.minCursor;
            // Rows behind the cursor that was sent again are those of the last page, unless its own row was asked for.
            if (next === cursor && !rest.includeCursor)
                return 'cursor-repeated';
            yield result;
            if (!next || next === cursor)
                return 'cursor-repeated';
            cursor = next;
            delete rest.includeCursor;
        }
        return 'pages-max';
    }
    async function* rows(apl, options) {
        // Nobody sees the count.
        const all = pages(apl, { countMatches: false, ...options });
        for (;;) {
            const page = await all.next();
            if (page.done)
                return page.value;
            yield* readRows(page.value);
        }
    }
    return {
        query,
        pages,
        rows,
        queryLegacy: (dataset, body, options = {}) => post(legacyQueryPath(dataset) + saving('?', options.saveAsKind), body, parseLegacyResult, options),
    };
}
function parseQueryResult(reply) {
    const body = parseBody(reply);
    if (!Array.isArray(body.tables) && !Array.isArray(body.matches))
        throw reply_unexpected(reply, 'tables or matches');
    return { tables: [], ...body, ...readSavedId(reply) };
}
function parseLegacyResult(reply) {
    const body = parseBody(reply);
    if (!Array.isArray(body.matches))
        throw reply_unexpected(reply, 'matches');
    return { ...body, ...readSavedId(reply) };
}
function saving(separator, kind) {
    return kind === undefined ? '' : `${separator}saveAsKind=${kind}`;
}
function readSavedId(reply) {
    const id = readHeader(reply, HISTORY_QUERY_ID_HEADER);
    return id ? { savedQueryId: id } : {};
}
function parseBody(reply) {
    let body;
    try {
        body = parseExact(reply.text);
    }
    catch {
        throw reply_unexpected(reply, 'JSON');
    }
    if (typeof body !== 'object' || body === null || !('status' in body))
        throw reply_unexpected(reply, 'a status');
    return body;
}
function isAscending({ tables }) {
    const order = tables[0]?.order.find(({ field }) => field === '_time');
    return order !== undefined && !order.desc;
}
function countRows({ tables, matches }) {
    return tables[0]?.columns[0]?.length ?? matches?.length ?? 0;
}
function* readRows({ tables: [table], matches }) {
    if (table) {
        const count = table.columns[0]?.length ?? 0;
        for (let index = 0; index < count; index++)
            yield readRow(table, index);
    }
    else {
        for (const { data, ...own } of matches)
            yield { ...own, ...data };
    }
}
function readRow(table, index) {
    return Object.fromEntries(table.fields.map(({ name }, column) => [name, table.columns[column]?.[index] ?? null]));
}
/** A relative time, resolved at a given moment; any other text unchanged: it is absolute, or the service says what is wrong with it. */
function freeze(time, nowNs) {
    const ns = parseRelativeTime(time, nowNs);
    return ns === undefined ? time : timestamp_formatTimestamp(ns);
}

;// CONCATENATED MODULE: ./packages/inputs/lib/input-error.js
/**
 * Inputs that cannot be used, and how all of them are found in one go.
 * Deliberately not here: what an input is called. The step says `input "endTime"`, the command `--end-time` (door.ts).
 */

/** Its message is for programmers; people read what `explain` makes of the problems. */
class InputError extends Error {
    name = 'InputError';
    problems;
    constructor(problems) {
        super(problems.map(({ input, rest }) => input + rest).join('\n'));
        this.problems = problems;
    }
}
/** @throws InputError always */
function input_error_refuse(input, rest) {
    throw new InputError([{ input, rest }]);
}
/**
 * Runs every parser, whatever becomes of the others.
 * @returns what they gave, under the same names
 * @throws InputError with the problems of all
 */
function parseAll(parsers) {
    const values = {};
    const problems = [];
    for (const name of Object.keys(parsers)) {
        try {
            values[name] = parsers[name]();
        }
        catch (error) {
            if (error instanceof InputError)
                problems.push(...error.problems);
            // The client's messages begin with the name of the option, which is that of the input.
            else if (error instanceof ConfigError)
                problems.push({ input: name, rest: error.message.replace(`${name} `, ': ') });
            else
                throw error;
        }
    }
    if (problems.length > 0)
        throw new InputError(problems);
    return values;
}

;// CONCATENATED MODULE: ./packages/inputs/lib/text.js
/**
 * Text from inputs, commits and the service on its way to a log: one line, bounded, and never a workflow command.
 */

const SHOWN_POINTS_MAX = 200;
/** @returns the text in double quotes, as one line, for use within a message */
function text_quote(text) {
    return JSON.stringify(toLog(text, SHOWN_POINTS_MAX));
}
/**
 * One line for the log. Runners take `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere in a line for a command (and `::…` at its
 * start, which our own words prevent), and a carriage return for a new line.
 */
function toLog(text, pointsMax = 2_000) {
    return line_toLine(text, pointsMax).replace(/##(?=\w*\[)/g, '# #');
}
/** Text escaped for HTML. */
function escapeHtml(text, pointsMax = SHOWN_POINTS_MAX) {
    return toLine(text, pointsMax).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

;// CONCATENATED MODULE: ./packages/inputs/lib/explain.js
/**
 * Turns whatever stopped a step or command into the message a person reads: what was tried, with which value, what came back,
 * how often and how long, and what to do.
 */



/** Errors that are the service's or the network's, not the user's: `onOutage` decides what they do to the job. */
function isOutage(error) {
    if (!(error instanceof ClientError))
        return false;
    return ['connection', 'timeout', 'server', 'rate-limit'].includes(error.code) || isPage(error);
}
/** Something answers in the service's place, such as the sign-in of a network or a notice of maintenance. */
function isPage({ code, body = '' }) {
    return code === 'protocol' && /^\s*</.test(body);
}
/** @returns the message; several lines only for several wrong inputs */
function explain(error, operation, door) {
    if (error instanceof InputError)
        return error.problems.map(({ input, rest }) => toLog(door.subject(input) + rest)).join('\n');
    if (!(error instanceof ClientError)) {
        const message = error instanceof Error ? error.message : String(error);
        return toLog(`Could not ${operation}: ${message}. This is a bug in the ${door.program}; please report it.`);
    }
    return [
        `Could not ${operation}: ${toLog(error.message)}.`,
        ...(error.traceId === undefined ? [] : [`Trace id ${toLog(error.traceId)}.`]),
        ...(error.code === 'config' ? [] : [`${count(error.attempts)} in ${(error.elapsedMs / 1_000).toFixed(1)} s.`]),
        ...(error.mayHaveTakenEffect && operation === 'create the annotation'
            ? ['The annotation may exist all the same: no answer came back, and it could not be looked up.']
            : []),
        (operation.startsWith('ask the query') ? adviseAboutQuery(error, door) : undefined) ?? advise(error, door),
    ].join(' ');
}
/** The line for the log when another try follows. */
function explainRetry(failure, waitMs) {
    return `${toLog(failure.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`;
}
function count(attempts) {
    return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}
/** What to do next where a query, and not an annotation, was refused. */
function adviseAboutQuery(error, { mention }) {
    if (error.code === 'auth' && error.status === 403)
        return 'Give the token the permission to query the datasets of the query.';
    if (error.code === 'not-found')
        return `Check the name of the dataset in the query, and ${mention('baseUrl')}.`;
    if (error.code === 'invalid-request')
        return 'Change the query.';
    return undefined;
}
/** What to do next. */
function advise(error, { mention }) {
    switch (error.code) {
        case 'config':
            return 'Nothing was sent.';
        case 'auth':
            return error.status === 403
                ? 'Give the token the permissions it needs on annotations: create, update for changes, and read to look them up after a lost answer.'
                : `Check that the token belongs to the service at ${mention('baseUrl')} and has not been revoked.`;
        case 'not-found':
            return `Check ${mention('id')}, which must be an annotation of this service, and ${mention('baseUrl')}.`;
        case 'invalid-request':
            return error.status === 405 || error.status === 415
                ? `Check ${mention('baseUrl')}: this does not look like an annotation service.`
                : 'Change the input that the message names.';
        case 'redirect':
            return `Set ${mention('baseUrl')} to the address that the service has moved to, if you trust it.`;
        case 'certificate':
            return `For a private certificate authority set NODE_EXTRA_CA_CERTS on the runner; otherwise check ${mention('baseUrl')}.`;
        case 'connection':
            return `Check ${mention('baseUrl')}, that the service is up, and whether the runner needs https_proxy or no_proxy.`;
        case 'timeout':
            return `Check that the service is up; ${mention('timeoutSeconds')} gives it more time.`;
        case 'rate-limit':
            return error.retryAfterMs === undefined
                ? 'Try again later.'
                : `The service asks to wait ${Math.ceil(error.retryAfterMs / 1_000)} s.`;
        case 'server':
            return 'Try again later; if it keeps failing, give the trace id to the people who run the service.';
        case 'protocol':
            return `Check ${mention('baseUrl')}: what answers there does not behave like an annotation service.`;
        default:
            return error.code;
    }
}

;// CONCATENATED MODULE: ./packages/compare/lib/columns.js
/**
 * What the columns of an answer are, by how the query aggregated them: `countif` beside `count()` is a share of it, either alone
 * counts events, and anything else is measured.
 */
const COUNTS = ['count', 'countif'];
const ZERO_WHERE_ABSENT = new Set([...COUNTS, 'sum', 'sumif', 'dcount', 'dcountif', 'rate']);
/** Whether a bucket that an answer does not mention stands for 0 in a column of this aggregation. */
function isZeroWhereAbsent(aggregation) {
    return ZERO_WHERE_ABSENT.has(aggregation ?? '');
}
function readColumns({ fields, groups, buckets, columns }) {
    const timeName = buckets?.field ?? '_time';
    const groupNames = new Set(groups.map(({ name }) => name));
    const timeAt = fields.findIndex(({ name }) => name === timeName);
    const indexes = fields.map((_, at) => at);
    const isGroup = (at) => groupNames.has(fields[at]?.name ?? '');
    const aggregationOf = (at) => fields[at]?.agg?.name;
    const groupsAt = indexes.filter((at) => at !== timeAt && isGroup(at));
    const numbersAt = indexes.filter((at) => at !== timeAt && !isGroup(at) && (columns[at] ?? []).every(isNumberOrNull));
    const outOfAt = numbersAt.find((at) => aggregationOf(at) === 'count');
    const hasParts = outOfAt !== undefined && numbersAt.some((at) => aggregationOf(at) === 'countif');
    const judged = numbersAt
        .filter((at) => !(hasParts && aggregationOf(at) === 'count'))
        .map((at) => {
        const aggregation = aggregationOf(at);
        const isBareCount = aggregation === 'count';
        const common = { name: fields[at]?.name ?? '', at, isBareCount, isZeroWhereAbsent: isZeroWhereAbsent(aggregation) };
        if (hasParts && aggregation === 'countif')
            return { ...common, kind: 'share', outOfAt };
        return { ...common, kind: COUNTS.includes(aggregation ?? '') ? 'count' : 'measurement' };
    });
    return { timeAt: timeAt === -1 ? undefined : timeAt, groupsAt, judged };
}
/** @returns `undefined` where there is no number */
function toNumber(value) {
    if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string')
        return undefined;
    const number = Number(value);
    return Number.isNaN(number) ? undefined : number;
}
function isNumberOrNull(value) {
    return value === null || toNumber(value) !== undefined;
}

;// CONCATENATED MODULE: ./packages/compare/lib/series.js
/**
 * What is judged: one series of numbers before and after an event.
 * Deliberately not here: where the numbers come from (tables.ts), and what becomes of them (judge.ts).
 */
/** Which way is worse. Latencies and errors are worse when higher, throughput when lower. */
const DIRECTIONS = ['higher-is-worse', 'lower-is-worse'];

;// CONCATENATED MODULE: ./packages/compare/lib/named-queries.js
/**
 * One to ten named queries as people write them: `name: query` on a line, and the lines that go on with it, which begin with `|` or
 * a blank. A name may say which way is worse: `throughput (lower-is-worse): …`. A single query needs no name.
 * Deliberately not YAML: `['shop']` at the start of a value is a list there.
 */

const QUERIES_MAX = 10;
const NAME = /^([\p{L}\p{N}][\p{L}\p{N} ._/%-]{0,63}?)\s*(?:\(([^)]*)\))?\s*:(?!\/\/)\s*(.*)$/u;
/** @returns the queries, or what is wrong with them, a sentence each */
function parseQueries(text) {
    const problems = [];
    const queries = [];
    for (const block of splitBlocks(text)) {
        const [, name, direction, first] = NAME.exec(block[0] ?? '') ?? [];
        const apl = [first ?? block[0] ?? '', ...block.slice(1)].join('\n').trim();
        const query = { name: name ?? `query ${queries.length + 1}`, apl };
        const known = readDirection(direction);
        if (direction !== undefined && !known)
            problems.push(`"${query.name}" says "(${direction})": only ${DIRECTIONS.join(' or ')} can stand there`);
        if (apl === '')
            problems.push(`"${query.name}" has no query after its colon`);
        if (queries.some((other) => other.name === query.name))
            problems.push(`two queries are called "${query.name}"`);
        queries.push(known ? { ...query, direction: known } : query);
    }
    if (queries.length === 0)
        problems.push('there is no query');
    if (queries.length > QUERIES_MAX)
        problems.push(`there are ${queries.length} queries, at most ${QUERIES_MAX} are compared`);
    return { queries, problems };
}
/** Lines that belong together; empty ones and comments of the query language at the start of a line separate nothing. */
function splitBlocks(text) {
    const blocks = [];
    for (const line of text.split(/\r?\n/)) {
        if (line.trim() === '')
            continue;
        const last = blocks.at(-1);
        if (last && /^(?:\s|\||\/\/)/.test(line))
            last.push(line.trim());
        else
            blocks.push([line.trim()]);
    }
    return blocks;
}
/** Blanks between the words, as earlier versions had them, are read too. */
function readDirection(text) {
    const written = text?.trim().replace(/\s+/g, '-');
    return DIRECTIONS.find((direction) => direction === written);
}
/** Texts in quotes, and otherwise the first operator that summarizes. */
const TO_SUMMARIZE = /^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^'"|]|\|(?!\s*summarize\b))*/;
/** @returns what comes before the first operator that summarizes, and the rest */
function splitAtSummarize(apl) {
    const rest = apl.replace(TO_SUMMARIZE, '');
    return [apl.slice(0, apl.length - rest.length).trimEnd(), rest];
}
/**
 * @param text queries with the names of those that are compared, or the beginning of a query, up to its `summarize`, in place of theirs
 * @returns for each query what it is compared with, and what is wrong
 */
function parseBaseline(text, queries) {
    const { queries: given, problems } = parseQueries(text);
    const [first] = given;
    const isHead = given.length === 1 && first !== undefined && !/\|\s*summarize\b/.test(first.apl);
    const baselines = new Map();
    for (const query of queries) {
        const [, rest] = splitAtSummarize(query.apl);
        const other = isHead
            ? rest !== '' && { ...query, apl: `${first.apl}\n${rest}` }
            : given.find(({ name }) => name === query.name);
        if (other)
            baselines.set(query.name, other);
        else
            problems.push(`"${query.name}" has nothing to be compared with: give a query of this name`);
    }
    return { baselines, problems };
}

;// CONCATENATED MODULE: ./packages/compare/lib/carriers.js
/**
 * What carries a change: the values, such as a version, a route or a message, of which there are so many more, or fewer, events after that
 * they make most of it. Only of counts and shares; of a percentile no value is a part.
 */


/** Fields whose values say where a change comes from, in the order of how much that helps. */
const FIELDS = [
    'version service.version release commit service.name service',
    'route http.route path url.path endpoint operation',
    'region zone host pod instance',
    'message msg error exception.type error.message error.type',
].map((names) => names.split(' '));
/** A value makes so much of the change … */
const carriers_PART = 0.3;
/** … and so much more of the events than it did before: what is everywhere carries nothing. */
const RISE = { times: 1.2, points: 0.05 };
/** Fewer events with a value are chance. */
const EVENTS_MIN = 5;
const CARRIERS_MAX = 3;
const MS_PER_MINUTE = 60_000;
/** @returns the values that make most of the change, one of a field at most */
async function findCarriers(ask, { apl }, fields, { before, after }) {
    const [source, rest] = splitAtSummarize(apl);
    const [, failed] = /\bcountif\s*\(((?:[^()]|\([^()]*\))*)\)/.exec(rest) ?? [];
    const counted = failed === undefined ? source : `${source}\n| where ${failed}`;
    const known = FIELDS.flatMap((names) => {
        const field = names.find((name) => fields.some((one) => one.name === name && /string/.test(one.type)));
        // What the query itself filters by has one value.
        return field === undefined || counted.includes(field) ? [] : [field];
    });
    const found = [];
    for (const field of known) {
        const by = `${counted}\n| summarize events = count() by value = tostring(['${field}'])`;
        const [first, second] = [await ask(by, before), await ask(by, after)];
        const carrier = first && second && pickCarrier(field, readRates(first, before), readRates(second, after), after);
        if (carrier)
            found.push(carrier);
    }
    return found
        .sort((a, b) => b.part - a.part)
        .slice(0, CARRIERS_MAX)
        .map(({ part: _part, ...carrier }) => carrier);
}
/** Events a minute by value. */
function readRates({ fields, columns }, { startMs, endMs }) {
    const at = (name) => columns[fields.findIndex((field) => field.name === name)] ?? [];
    const [values, events] = [at('value'), at('events')];
    const minutes = (endMs - startMs) / MS_PER_MINUTE;
    return new Map(values.map((value, row) => [String(value ?? ''), (toNumber(events[row]) ?? 0) / minutes]));
}
function pickCarrier(field, before, after, window) {
    const total = (rates) => [...rates.values()].reduce((sum, rate) => sum + rate, 0);
    const [first, second] = [total(before), total(after)];
    const change = second - first;
    const minutes = (window.endMs - window.startMs) / MS_PER_MINUTE;
    const carriers = [...new Set([...before.keys(), ...after.keys()])].flatMap((value) => {
        const [was, is] = [before.get(value) ?? 0, after.get(value) ?? 0];
        const part = change === 0 ? 0 : (is - was) / change;
        const [shareWas, shareIs] = [first === 0 ? 0 : was / first, second === 0 ? 0 : is / second];
        const isMore = change > 0 ? shareIs > shareWas * RISE.times + RISE.points : shareWas > shareIs * RISE.times + RISE.points;
        const isEnough = Math.max(was, is) * minutes >= EVENTS_MIN;
        return value !== '' && part >= carriers_PART && isMore && isEnough ? [{ field, value, before: was, after: is, part }] : [];
    });
    return carriers.sort((a, b) => b.part - a.part)[0];
}

;// CONCATENATED MODULE: ./packages/compare/lib/distributions.js
/**
 * The functions of probability that the tests need, to about ten digits: the normal distribution, its quantiles, Student's
 * distribution, and the incomplete beta function, which gives the binomial distribution's tails.
 * Our own because packages that have them bring hundreds of others into the page and the step.
 */
/** Coefficients of Lanczos's approximation for g = 7. */
const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
/** Logarithm of the gamma function, for x > 0. */
function logGamma(x) {
    if (x < 0.5)
        return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    const [first, ...rest] = LANCZOS;
    let sum = first;
    for (const [at, coefficient] of rest.entries())
        sum += coefficient / (x + at);
    const t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}
/**
 * The regularized incomplete beta function I_x(a, b). For whole numbers it is a binomial tail: of n trials with chance x, the
 * probability of at least k successes is I_x(k, n − k + 1).
 * @param a above 0, as is b
 */
function incompleteBeta(x, a, b) {
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    // The fraction converges quickly on one side of the mean only.
    if (x > (a + 1) / (a + b + 2))
        return 1 - incompleteBeta(1 - x, b, a);
    const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
    return Math.min(1, (Math.exp(logFront) * betaFraction(x, a, b)) / a);
}
const STEPS_MAX = 10_000;
const PRECISION = 1e-12;
/** The continued fraction of the incomplete beta function, by the modified method of Lentz. */
function betaFraction(x, a, b) {
    const away = (value) => (value === 0 ? 1e-300 : value);
    let c = 1;
    let d = 1 / away(1 - ((a + b) * x) / (a + 1));
    let fraction = d;
    for (let m = 1; m <= STEPS_MAX; m++) {
        const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
        const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
        for (const term of [even, odd]) {
            d = 1 / away(1 + term * d);
            c = away(1 + term / c);
            fraction *= c * d;
        }
        const step = c * d - 1;
        if (step < PRECISION && step > -PRECISION)
            break;
    }
    return fraction;
}
/** The probability that a standard normal variable is above z. */
function normalTail(z) {
    if (z < 0)
        return 1 - normalTail(-z);
    // Series near the middle, where it converges at once; continued fraction in the tail.
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    if (z < 3) {
        let term = z;
        let sum = z;
        for (let n = 1; Math.abs(term) > 1e-16; n++)
            sum += term *= (z * z) / (2 * n + 1);
        return 0.5 - density * sum;
    }
    let fraction = z;
    for (let n = 60; n >= 1; n--)
        fraction = z + n / fraction;
    return density / fraction;
}
/** @returns the z above which a standard normal variable lies with this probability, 0 < probability < 1 */
function normalQuantile(probability) {
    return findRoot((z) => probability - normalTail(z), -10, 10);
}
/** The probability that a variable of Student's distribution with so many degrees of freedom, or infinitely many, is above t. */
function studentTail(t, freedom) {
    if (!Number.isFinite(freedom))
        return normalTail(t);
    const tail = incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
    return t > 0 ? tail : 1 - tail;
}
/** The root of a rising function, by halving so many times. */
function findRoot(rising, from, to, halvings = 50) {
    let [low, high] = [from, to];
    for (let step = 0; step < halvings; step++) {
        const middle = (low + high) / 2;
        if (rising(middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

;// CONCATENATED MODULE: ./packages/compare/lib/timeline.js
/**
 * The numbers before and after an event on a scale on which changes add up, and what is done with two of such lines: one subtracted from
 * another, smoothed, or reduced to how far it moved.
 */
/** Buckets with more in them say more. */
function weighAfter(after) {
    const precisions = after.map(({ value, variance }) => (Number.isNaN(value) ? 0 : 1 / variance));
    const total = precisions.reduce((sum, one) => sum + one, 0);
    return { weights: precisions.map((one) => one / total), noise: 1 / total };
}
function meanOf(observations) {
    const { weights } = weighAfter(observations);
    return observations.reduce((sum, { value }, at) => (Number.isNaN(value) ? sum : sum + value * (weights[at] ?? 0)), 0);
}
function meanVariance(observations) {
    const present = observations.filter(({ value }) => !Number.isNaN(value));
    return present.reduce((sum, { variance }) => sum + variance, 0) / present.length;
}
/** The difference of each bucket; both have their chance. */
function without(line, other) {
    const subtract = (side, from) => side.map(({ value, variance }, at) => {
        const { value: less, variance: more } = from[at] ?? { value: Number.NaN, variance: 1 };
        return { value: value - less, variance: variance + more };
    });
    return { before: subtract(line.before, other.before), after: subtract(line.after, other.after) };
}
/** Neighbours on each side of a bucket of another day that are averaged with it: its chance is not that of today. */
const NEIGHBOURS = 2;
/** @returns the same line with less chance in it */
function smooth({ before, after }) {
    const all = [...before, ...after];
    const smoothed = all.map((_, at) => {
        const near = all.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1).filter(({ value }) => !Number.isNaN(value));
        if (near.length === 0)
            return { value: Number.NaN, variance: 1 };
        const sum = (read) => near.reduce((total, one) => total + read(one), 0);
        return { value: sum(({ value }) => value) / near.length, variance: sum(({ variance }) => variance) / near.length ** 2 };
    });
    return { before: smoothed.slice(0, before.length), after: smoothed.slice(before.length) };
}
/** The means alone: that it went up at this hour, but not how. */
function flatten({ before, after }) {
    const level = (side) => {
        const value = meanOf(side);
        return side.map(() => ({ value, variance: 0 }));
    };
    const { noise } = weighAfter(before);
    const [first, second] = [level(before), level(after)];
    const noiseAfter = (noise + weighAfter(after).noise) * second.length;
    return { before: first, after: second.map(({ value }) => ({ value, variance: noiseAfter })) };
}
/** So many standard deviations are a change at this hour of another day, and not its chance. */
const JUMP = 2;
function hasJump({ before, after }, isVarianceKnown) {
    const middle = meanOf(before);
    const present = before.filter(({ value }) => !Number.isNaN(value));
    const squares = present.reduce((sum, { value, variance }) => sum + (value - middle) ** 2 / variance, 0);
    const scatter = squares / Math.max(1, present.length - 1);
    const scale = isVarianceKnown ? Math.max(1, scatter) : scatter;
    const noise = scale * (weighAfter(before).noise + weighAfter(after).noise);
    return Math.abs(meanOf(after) - middle) > JUMP * Math.sqrt(noise);
}
/** Two days that differ in how they went on say how little either of them tells about today. */
function varianceOfSeasons(seasons) {
    const [first, second] = seasons.map(({ before, after }) => meanOf(after) - meanOf(before));
    return first === undefined || second === undefined ? 0 : (first - second) ** 2;
}

;// CONCATENATED MODULE: ./packages/compare/lib/explanations.js
/**
 * The explanations of the time before an event, and what each expects after it: chance alone, memory of many strengths (an autoregressive
 * process below the chance of each bucket), a trend. How well each fits is its likelihood, by the Kalman filter.
 */


/** How alike neighbours may be, … */
const MEMORIES = [0.5, 0.75, 0.9, 0.96, 0.99];
/** … and how far the level may wander, in variances of a bucket. */
const WANDERINGS = [0.1, 0.3, 1, 3, 10, 30];
/** A trend may move the level by some standard deviations of a bucket over the time before. */
const TREND_VARIANCE = 12;
/** How probable explanations are before the values are seen. */
const PRIORS = { chanceAlone: { known: 0.97, unknown: 0.4 }, trend: 0.04, unknownScale: 0.05 };
/** Memory that was estimated from one stretch of time is surer of itself than it should be. */
const CAUTION = 1.8;
/** Known variances may be too small: scales around this, as if so many buckets had shown it. */
const SCALE_PRIOR = { half: 1.5, scale: 1.5 };
const VAGUE = { half: 0.5, scale: 1e-9 };
/** The basis of an explanation by the values before alone. */
const PLAIN = 'the time before';
/** Every combination of memory and trend, each with the variance of chance as it is and as it is estimated. */
function explanations_explain(line, prior, isVarianceKnown) {
    const usual = meanVariance(line.before);
    const chance = PRIORS.chanceAlone[isVarianceKnown ? 'known' : 'unknown'];
    const each = (1 - chance) / (MEMORIES.length * WANDERINGS.length);
    const models = [0, TREND_VARIANCE].flatMap((trend) => {
        const ofTrend = prior * (trend > 0 ? PRIORS.trend : 1 - PRIORS.trend);
        const wander = MEMORIES.flatMap((memory) => WANDERINGS.map((wandering) => [
            { memory, wandering: wandering * usual, trend: trend * usual },
            ofTrend * each,
        ]));
        return [[{ memory: 0, wandering: 0, trend: trend * usual }, ofTrend * chance], ...wander];
    });
    return models.flatMap(([model, ofModel]) => weigh(line, model, ofModel, isVarianceKnown));
}
function weigh(line, model, prior, isVarianceKnown) {
    const fit = fitModel(line, model);
    const isPlain = model.wandering === 0 && model.trend === 0;
    const variance = fit.variance * (isPlain ? 1 : CAUTION);
    const half = (fit.count - 1) / 2;
    const common = { weight: 0, mean: fit.mean, noise: 0, basis: PLAIN, basisPrior: 1 };
    const logPrior = Math.log(prior) - fit.logDeterminant / 2 - half * Math.log(2 * Math.PI);
    const known = isVarianceKnown ? 1 - PRIORS.unknownScale : 0;
    const asKnown = {
        ...common,
        logWeight: logPrior + Math.log(known) - fit.squares / 2,
        variance,
        freedom: Number.POSITIVE_INFINITY,
        scale: 1,
        isChanceAlone: isPlain,
    };
    const { half: a0, scale: s0 } = isVarianceKnown ? SCALE_PRIOR : VAGUE;
    const [a, b0] = [a0 + half, a0 * s0];
    const b = b0 + fit.squares / 2;
    const evidence = a0 * Math.log(b0) + logGamma(a) - logGamma(a0) - a * Math.log(b);
    const scale = b / a;
    const estimated = {
        ...common,
        logWeight: logPrior + Math.log(1 - known) + evidence,
        variance: variance * scale,
        freedom: 2 * a,
        scale,
        isChanceAlone: isPlain,
    };
    return isVarianceKnown ? [asKnown, estimated] : [estimated];
}
/**
 * Runs the Kalman filter of the model over the values, a constant and a straight line at once; a regression of what is new in the first on
 * what is new in the others gives the level and the trend, and the last state says what is left of it after the event.
 */
function fitModel({ before, after }, { memory, wandering, trend }) {
    const { state, sums, logDeterminant, count } = filter(before, memory, wandering);
    const steep = trend > 0 ? sums.tt + 1 / trend : Number.POSITIVE_INFINITY;
    const hasTrend = trend > 0;
    const determinant = hasTrend ? sums.oo * steep - sums.ot ** 2 : sums.oo;
    const level = hasTrend ? (steep * sums.vo - sums.ot * sums.vt) / determinant : sums.vo / sums.oo;
    const slope = hasTrend ? (sums.oo * sums.vt - sums.ot * sums.vo) / determinant : 0;
    const { weights } = weighAfter(after);
    const rest = weights.reduce((sum, weight, at) => sum + weight * memory ** (at + 1), 0);
    const place = weights.reduce((sum, weight, at) => sum + weight * placeOf(before.length + at, before.length), 0);
    const [one, line] = [1 - rest * state.one, place - rest * state.line];
    const ofLevel = hasTrend
        ? (steep * one ** 2 - 2 * sums.ot * one * line + sums.oo * line ** 2) / determinant
        : one ** 2 / sums.oo;
    return {
        mean: level * one + slope * line + rest * state.value,
        variance: rest ** 2 * state.variance + wanderAfter(weights, memory, wandering) + ofLevel,
        squares: Math.max(1e-12, sums.vv - level * sums.vo - slope * sums.vt),
        logDeterminant: logDeterminant + Math.log(determinant) + (hasTrend ? Math.log(trend) : 0),
        count,
    };
}
function filter(before, memory, wandering) {
    const state = { value: 0, one: 0, line: 0, variance: wandering };
    const sums = { vv: 0, vo: 0, vt: 0, oo: 0, ot: 0, tt: 0 };
    let logDeterminant = 0;
    let count = 0;
    for (const [at, { value, variance }] of before.entries()) {
        if (at > 0) {
            state.value *= memory;
            state.one *= memory;
            state.line *= memory;
            state.variance = memory ** 2 * state.variance + wandering * (1 - memory ** 2);
        }
        if (Number.isNaN(value))
            continue;
        const total = state.variance + variance;
        const [v, o, t] = [value - state.value, 1 - state.one, placeOf(at, before.length) - state.line];
        sums.vv += (v * v) / total;
        sums.vo += (v * o) / total;
        sums.vt += (v * t) / total;
        sums.oo += (o * o) / total;
        sums.ot += (o * t) / total;
        sums.tt += (t * t) / total;
        logDeterminant += Math.log(total);
        count++;
        const gain = state.variance / total;
        state.value += gain * v;
        state.one += gain * o;
        state.line += gain * t;
        state.variance *= 1 - gain;
    }
    return { state, sums, logDeterminant, count };
}
/** Where a bucket lies, from −½ at the start of the time before to ½ at its end. */
function placeOf(at, count) {
    return (at - (count - 1) / 2) / count;
}
/** The variance of the mean after that comes from where the level may wander in that time. */
function wanderAfter(weights, memory, wandering) {
    let [carried, variance] = [0, 0];
    for (const weight of weights.toReversed()) {
        carried = weight + memory * carried;
        variance += wandering * (1 - memory ** 2) * carried ** 2;
    }
    return variance;
}

;// CONCATENATED MODULE: ./packages/compare/lib/forecast.js
/**
 * What the time before an event lets one expect of the time after it, and how far the truth may lie from that.
 * Several explanations of the time before are weighed by how well each fits it (Bayesian model averaging): chance alone; values that
 * resemble those before them, for a short or a long while (an autoregressive process below the chance of each bucket); a trend; and each
 * of these on top of what the same time a day or a week ago showed. Where values have memory the explanations with memory win, and
 * the interval is as wide as such values wander. Where they have none, chance alone wins, and the interval is narrow.
 * docs/compare.md has the error rates, and the sources of the constants are the simulations of `npm run bench -- verdicts`.
 */


/** How probable it is, before the values are seen, that another day says what was to be expected. */
const SEASON_PRIOR = 0.5;
/** Explanations that count for less than this are left out. */
const WEIGHT_MIN = 1e-4;
/** @returns the explanations that count, and the mean that each expects */
function forecast(today, options) {
    const { seasons, baseline, isVarianceKnown } = options;
    const own = baseline ? without(today, baseline) : today;
    const unsteady = varianceOfSeasons(seasons);
    const others = seasons.flatMap((season, at) => [
        [`the course of season ${at + 1}`, smooth(season)],
        ...(hasJump(season, isVarianceKnown) ? [[`the change of season ${at + 1}`, flatten(season)]] : []),
    ]);
    const share = others.length > 0 ? SEASON_PRIOR : 0;
    const found = explanations_explain(own, 1 - share, isVarianceKnown).map((one) => ({ ...one, basisPrior: 1 - share }));
    for (const [basis, season] of others) {
        const rest = explanations_explain(without(own, season), share / others.length, isVarianceKnown);
        found.push(...rest.map((one) => ({ ...ontoOf(season, one), basis, basisPrior: share / others.length })));
    }
    const { noise } = weighAfter(today.after);
    return normalize(found.map((one) => {
        const expected = baseline ? ontoOf(baseline, one) : one;
        return { ...expected, variance: expected.variance + unsteady, noise: noise * expected.scale };
    }));
}
/** What was expected of the difference from another line becomes what is expected of the values. */
function ontoOf({ after }, one) {
    const variance = one.variance + weighAfter(after).noise * one.scale;
    return { ...one, mean: one.mean + meanOf(after), variance, isChanceAlone: false };
}
/** A basis for which the time before speaks by so much less than for the best one is ruled out; all others have to call it a change. */
const EVIDENCE_MIN = 0.2;
/**
 * @param tailsOf the probabilities of so high, and so low, a value by one explanation
 * @returns the greatest by any basis that the time before leaves possible; within a basis the explanations are weighed
 */
function combineTails(expectations, tailsOf) {
    let [pHigher, pLower] = [0, 0];
    for (const { weight, members } of possibleBases(expectations)) {
        const tails = members.map((one) => ({ share: one.weight / weight, ...tailsOf(one) }));
        pHigher = Math.max(pHigher, tails.reduce((sum, one) => sum + one.share * one.pHigher, 0));
        pLower = Math.max(pLower, tails.reduce((sum, one) => sum + one.share * one.pLower, 0));
    }
    return { pHigher, pLower };
}
/**
 * @param expectedBy what an explanation expects, on the scale on which it is shown
 * @returns of what the possible bases expect, that which is next to what was found: it calls the change no greater than it has to be
 */
function nearestExpected(expectations, found, expectedBy) {
    const expected = possibleBases(expectations).map(({ weight, members }) => members.reduce((sum, one) => sum + (one.weight / weight) * expectedBy(one), 0));
    return expected.reduce((nearest, one) => (Math.abs(one - found) < Math.abs(nearest - found) ? one : nearest));
}
/** Those that the time before does not rule out. */
function possibleBases(expectations) {
    const bases = [...new Set(expectations.map(({ basis }) => basis))].map((basis) => {
        const members = expectations.filter((one) => one.basis === basis);
        const weight = weightOf(members, () => true);
        return { basis, members, weight, evidence: weight / (members[0]?.basisPrior ?? 1) };
    });
    const best = Math.max(...bases.map(({ evidence }) => evidence));
    return bases.filter(({ evidence }) => evidence >= EVIDENCE_MIN * best);
}
/** @returns how much the explanations of this kind count together */
function weightOf(expectations, isOfKind) {
    return expectations.filter(isOfKind).reduce((sum, { weight }) => sum + weight, 0);
}
/** @returns whether the time before by itself may say what was to be expected, without another day or a baseline */
function isPlain(expectations, { baseline }) {
    return baseline === undefined && possibleBases(expectations).some(({ basis }) => basis === PLAIN);
}
function normalize(found) {
    const top = Math.max(...found.map(({ logWeight }) => logWeight));
    const total = (weights) => weights.reduce((sum, weight) => sum + weight, 0);
    const weights = found.map(({ logWeight }) => Math.exp(logWeight - top));
    const counting = found.filter((_, at) => (weights[at] ?? 0) >= WEIGHT_MIN);
    const sum = total(weights.filter((weight) => weight >= WEIGHT_MIN));
    return counting.map(({ logWeight, ...one }) => ({ ...one, weight: Math.exp(logWeight - top) / sum }));
}

;// CONCATENATED MODULE: ./packages/compare/lib/tested.js
/** What a test of a series says; the same for counts and for measured values. */

/** Ends of an interval are shown with three digits. */
const HALVINGS = 20;
/** @returns the shifts that the errors of this rate leave possible, between the ends given */
function findInterval(tails, errorRate, [from, to]) {
    const low = findRoot((shift) => tails(shift).pHigher - errorRate, from, to, HALVINGS);
    const high = findRoot((shift) => errorRate - tails(shift).pLower, from, to, HALVINGS);
    return [low, high];
}

;// CONCATENATED MODULE: ./packages/compare/lib/counts.js
/**
 * Counts before and after, each out of something: is the rate another one than was to be expected? If two rates are equal, every event
 * falls into the second window with the chance that its size gives it, so the number of events there is binomial, and its tail is exact
 * for any number of events (conditional binomial test). The same formula takes what a forecast expects: a rate known as well as so many
 * events would tell it. For a share it is exact as long as the share is small, and careful above.
 * Both have to agree: the forecast, and the exact test with the events counting for less where they come in bursts.
 */



/** Stretches of a window whose scatter is looked at: long enough that a burst lies within one, and enough of them. */
const STRETCHES_MAX = 24;
const STRETCHES_MIN = 4;
/** Below so many events in a stretch their scatter says little. */
const EVENTS_EACH = 5;
/** Scatter that independent events show in one of five hundred cases is taken for chance. */
const CHANCE_OF_SCATTER = 0.002;
/** Below so many events before, memory cannot be told from chance. */
const FORECAST_EVENTS_MIN = 20;
/** Buckets are merged until they have about so many events, as long as so many buckets are left. */
const BUCKET_EVENTS = 5;
const BUCKETS_MIN = 12;
/** The mean of several explanations is careful where chance alone is at work: it says 5 % where 3.6 % would be true. */
const CALIBRATION = 0.72;
/** Ends of the search for an interval, as logarithms. */
const SHIFTS = [-12, 12];
/** @param errorRate how often each end of the interval may be wrong */
function testCounts({ before, after, seasons = [], baseline }, errorRate) {
    const [first, second] = [sumOf(before), sumOf(after)];
    const expectations = expect({ before, after }, seasons, baseline);
    const forecastTails = tailsOfForecast(expectations, first, second);
    const exactTails = tailsOfCounts(first, second, measureScatter([before, after]));
    const isPlainToo = isPlain(expectations, { baseline });
    const tails = (shift) => {
        const [model, exact] = [forecastTails(shift), isPlainToo ? exactTails(shift) : { pHigher: 0, pLower: 0 }];
        return { pHigher: Math.max(model.pHigher, exact.pHigher), pLower: Math.max(model.pLower, exact.pLower) };
    };
    const expected = nearestExpected(expectations, rateOf(second), (one) => rateExpected(one, first));
    const [low, high] = findInterval(tails, errorRate, SHIFTS);
    return {
        before: rateOf(first),
        after: rateOf(second),
        expected,
        change: expected === 0 ? (second.events === 0 ? 0 : Number.POSITIVE_INFINITY) : rateOf(second) / expected - 1,
        low: Math.expm1(low),
        high: high > SHIFTS[1] - 1e-6 ? Number.POSITIVE_INFINITY : Math.expm1(high),
        ...tails(0),
        chanceAlone: weightOf(expectations, ({ isChanceAlone }) => isChanceAlone),
    };
}
/** @returns the share, or the rate, that the true one is not above, with this rate of errors, where nothing was counted */
function upperRateOfNone(outOf, errorRate) {
    return -Math.log(errorRate) / outOf;
}
function sumOf(buckets) {
    return buckets.reduce((sum, { events, outOf }) => ({ events: sum.events + events, outOf: sum.outOf + outOf }), {
        events: 0,
        outOf: 0,
    });
}
const rateOf = ({ events, outOf }) => events / outOf;
const CHANCE_ALONE = {
    weight: 1,
    mean: Number.NaN,
    variance: 0,
    noise: 0,
    freedom: Number.POSITIVE_INFINITY,
    scale: 1,
    isChanceAlone: true,
    basis: 'the time before',
    basisPrior: 1,
};
function expect(sides, seasons, baseline) {
    const { events, outOf } = sumOf(sides.before);
    const withEvents = sides.before.filter((bucket) => bucket.outOf > 0).length;
    if (!baseline && (events < FORECAST_EVENTS_MIN || withEvents < BUCKETS_MIN))
        return [CHANCE_ALONE];
    const perBucket = Math.max(1, Math.min(Math.ceil((BUCKET_EVENTS * sides.before.length) / events), Math.ceil(sides.before.length / BUCKETS_MIN)));
    const toLine = ({ before, after }) => {
        const rate = rateOf(sumOf(before));
        return {
            before: mergeFromEnd(before, perBucket).map((bucket) => toObservation(bucket, rate)),
            after: mergeFromEnd(after.toReversed(), perBucket)
                .toReversed()
                .map((bucket) => toObservation(bucket, rate)),
        };
    };
    if (outOf === 0)
        return [CHANCE_ALONE];
    return forecast(toLine(sides), {
        seasons: seasons.map(toLine),
        baseline: baseline && toLine(baseline),
        isVarianceKnown: true,
    });
}
/** Buckets next to the event stay whole; the one that is far from it may be smaller. */
function mergeFromEnd(buckets, each) {
    const merged = [];
    for (let end = buckets.length; end > 0; end -= each)
        merged.unshift(sumOf(buckets.slice(Math.max(0, end - each), end)));
    return merged;
}
/** The logarithm of the rate, with the variance that chance gives it. */
function toObservation({ events, outOf }, rate) {
    if (outOf === 0)
        return { value: Number.NaN, variance: 1 };
    return { value: Math.log((events + 0.5) / outOf), variance: 1 / (rate * outOf + 0.5) };
}
function rateExpected({ isChanceAlone, mean }, before) {
    return isChanceAlone ? rateOf(before) : Math.exp(mean);
}
function tailsOfForecast(expectations, before, after) {
    return (shift) => {
        const { pHigher, pLower } = combineTails(expectations, (one) => {
            // The rate is known as well as so many events would tell it.
            const events = one.isChanceAlone ? before.events / one.scale : 1 / Math.expm1(Math.max(1e-9, one.variance));
            const outOf = one.isChanceAlone ? before.outOf / one.scale : events / Math.max(1e-12, rateExpected(one, before));
            const second = { events: after.events / one.scale, outOf: after.outOf / one.scale };
            // An event more is what the exact test takes for the chance of the events before; a forecast has that in its variance.
            return binomialTails({ events, outOf }, second, { shift, extra: one.isChanceAlone ? 1 : 0 });
        });
        return { pHigher: CALIBRATION * pHigher, pLower: CALIBRATION * pLower };
    };
}
function tailsOfCounts(before, after, scatter) {
    const [first, second] = [before, after].map(({ events, outOf }) => ({ events: events / scatter, outOf }));
    return (shift) => binomialTails(first, second, { shift, extra: 1, isWhole: scatter > 1 });
}
/** @param isWhole counts the last event in whole; otherwise by half, which is right on average */
function binomialTails(before, after, { shift, extra, isWhole = false }) {
    const size = after.outOf * Math.exp(shift);
    const chance = size / (before.outOf + size);
    const [x, y] = [before.events, after.events];
    const atLeast = y === 0 ? 1 : incompleteBeta(chance, y, x + extra);
    const more = incompleteBeta(chance, y + 1, x + extra);
    const atMost = x === 0 ? 1 : 1 - incompleteBeta(chance, y + 1, x);
    return { pHigher: isWhole ? atLeast : (atLeast + more) / 2, pLower: atMost };
}
/**
 * The variance of the counts of stretches of time, in variances of independent events (Pearson's chi-squared by its degrees of
 * freedom), each window seen around its own rate. 1 where chance explains the scatter.
 */
function measureScatter(windows) {
    let chiSquared = 0;
    let freedom = 0;
    for (const window of windows) {
        const count = Math.min(STRETCHES_MAX, window.length, Math.floor(sumOf(window).events / EVENTS_EACH));
        if (count < STRETCHES_MIN)
            continue;
        const rate = rateOf(sumOf(window));
        const stretches = Array.from({ length: count }, (_, at) => sumOf(window.slice(Math.round((at * window.length) / count), Math.round(((at + 1) * window.length) / count)))).filter(({ outOf }) => outOf > 0);
        chiSquared += stretches.reduce((sum, { events, outOf }) => sum + (events - rate * outOf) ** 2 / (rate * outOf), 0);
        freedom += stretches.length - 1;
    }
    return freedom > 0 && chiSquared > chiSquaredLimit(freedom) ? chiSquared / freedom : 1;
}
/** What chi-squared exceeds by chance in one of a hundred cases (approximation of Wilson and Hilferty). */
function chiSquaredLimit(freedom) {
    const spread = 2 / (9 * freedom);
    return freedom * (1 - spread + normalQuantile(CHANCE_OF_SCATTER) * Math.sqrt(spread)) ** 3;
}

;// CONCATENATED MODULE: ./packages/compare/lib/gone.js
/** Whether something that was there nearly always is there no more. */
/** In so large a share of the buckets before there has to be something, … */
const PRESENT = 0.9;
/** … in so many buckets at least. */
const gone_BUCKETS_MIN = 8;
/** A bucket with less than this share of what is usual counts as empty: health checks go on when the users are gone. */
const EMPTY = 0.02;
/**
 * So many empty buckets in a row at the end, which is half of the time or all of it, and three times as many as were ever empty before:
 * events of some senders are minutes late.
 */
const RUN_MIN = 3;
const RUN_SHARE = 0.5;
const RUN_TIMES = 3;
/** Of one bucket alone, such as of a query that is not grouped by time. */
const ALONE_MIN = 200;
/** @param before what is in each bucket, such as requests; 0 for nothing */
function isGone(before, after) {
    if (after.length === 0)
        return false;
    if (before.length === 1)
        return (before[0] ?? 0) >= ALONE_MIN && after.every((size) => size === 0);
    const usual = before.toSorted((a, b) => a - b)[Math.floor(before.length / 2)] ?? 0;
    const isEmpty = (size) => size <= EMPTY * usual;
    const empty = before.filter(isEmpty).length;
    if (before.length < gone_BUCKETS_MIN || empty > (1 - PRESENT) * before.length)
        return false;
    const run = after.length - 1 - after.findLastIndex((size) => !isEmpty(size));
    const shortest = after.length < RUN_MIN ? 2 : Math.max(RUN_MIN, RUN_SHARE * after.length);
    const least = Math.max(shortest, RUN_TIMES * longestRun(before.map(isEmpty)));
    return run >= least;
}
function longestRun(flags) {
    let [longest, run] = [0, 0];
    for (const flag of flags) {
        run = flag ? run + 1 : 0;
        longest = Math.max(longest, run);
    }
    return longest;
}

;// CONCATENATED MODULE: ./packages/compare/lib/holm.js
/**
 * Several questions at once: who asks ten gets a false answer to one of them more often than who asks one.
 */
/**
 * Raises probabilities so that all answers together are wrong no oftener than one alone would be (Holm's method).
 * @returns one for each, in their order
 */
function adjust(probabilities) {
    const order = probabilities.map((_, at) => at).sort((a, b) => (probabilities[a] ?? 1) - (probabilities[b] ?? 1));
    const adjusted = new Array(probabilities.length).fill(1);
    let highest = 0;
    for (const [step, at] of order.entries()) {
        highest = Math.max(highest, Math.min(1, (probabilities[at] ?? 1) * (order.length - step)));
        adjusted[at] = highest;
    }
    return adjusted;
}

;// CONCATENATED MODULE: ./packages/compare/lib/ranks.js
/**
 * Values of buckets before and after: do those after lie higher or lower? By ranks (Mann and Whitney), so that neither the shape of the
 * values nor one outlier matters. Neighbouring buckets resemble each other, so each says less than a value of its own would: the
 * variance grows with their correlation, as that of an autoregressive series does.
 */

/** Beyond this the estimate of the correlation says nothing any more. */
const CORRELATION_MAX = 0.9;
/** How probable so high, and so low, values after are if nothing has changed. */
function testRanks(before, after) {
    const { rankSum, deviation, correlation } = rank(before, after);
    const [m, n] = [before.length, after.length];
    const spread = deviation * Math.sqrt((1 + correlation) / (1 - correlation));
    const higher = rankSum - (n * (n + 1)) / 2 - (m * n) / 2;
    // Ranks go in steps of one half at least, which the smooth curve does not know.
    const pOf = (distance) => (spread === 0 ? 1 : normalTail((distance - 0.5) / spread));
    return { pHigher: pOf(higher), pLower: pOf(-higher) };
}
/** Ranks of all values together, equal ones sharing theirs: their sum after, how much that sum varies by chance, and how alike neighbours are. */
function rank(before, after) {
    const values = [...before, ...after];
    const total = values.length;
    const order = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
    const ranks = new Array(total).fill(0);
    let ties = 0;
    for (let from = 0; from < total;) {
        let to = from;
        while (to < total && values[order[to] ?? 0] === values[order[from] ?? 0])
            to++;
        for (const at of order.slice(from, to))
            ranks[at] = (from + to + 1) / 2;
        ties += (to - from) ** 3 - (to - from);
        from = to;
    }
    const [m, n] = [before.length, after.length];
    const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
    return {
        rankSum: ranks.slice(m).reduce((sum, one) => sum + one, 0),
        deviation: Math.sqrt(Math.max(0, variance)),
        correlation: correlate([ranks.slice(0, m), ranks.slice(m)]),
    };
}
/** How alike neighbours are, each window around its own mean, from 0 to {@link CORRELATION_MAX}; less what short series underestimate. */
function correlate(windows) {
    let products = 0;
    let squares = 0;
    for (const window of windows) {
        const mean = window.reduce((sum, one) => sum + one, 0) / window.length;
        for (const [at, one] of window.entries()) {
            squares += (one - mean) ** 2;
            if (at > 0)
                products += (one - mean) * ((window[at - 1] ?? mean) - mean);
        }
    }
    const count = windows.reduce((sum, { length }) => sum + length, 0);
    const estimate = squares === 0 ? 0 : (products / squares) * count;
    return Math.min(CORRELATION_MAX, Math.max(0, (estimate + windows.length) / (count - 3 * windows.length)));
}

;// CONCATENATED MODULE: ./packages/compare/lib/values.js
/**
 * Measured values of buckets before and after, such as percentiles: a forecast from the time before, on the scale on which changes of such
 * values add up, and the test of ranks beside it. Both have to agree, so that neither memory nor one outlier is taken for a change.
 */




/** Values further from the median of their window than so many deviations count as if they were no further. */
const OUTLIER = 4;
/** The deviation of a normal distribution in median absolute deviations. */
const DEVIATION_OF_MEDIAN = 1.4826;
/** @param errorRate how often each end of the interval may be wrong */
function testValues({ before, after, seasons = [], baseline }, errorRate) {
    const all = [before, after, ...[...seasons, ...(baseline ? [baseline] : [])].flatMap((sides) => [sides.before, sides.after])];
    const isPositive = all.flatMap(presentOf).every((value) => value > 0);
    const scale = isPositive ? Math.log : (value) => value;
    const toLine = (sides) => ({
        before: observe(sides.before, scale),
        after: observe(sides.after, scale),
    });
    const today = toLine({ before, after });
    const present = { before: today.before, after: today.after.filter(({ value }) => !Number.isNaN(value)) };
    const expectations = forecast(seasons.length > 0 || baseline ? today : present, {
        seasons: seasons.map(toLine),
        baseline: baseline && toLine(baseline),
        isVarianceKnown: false,
    });
    const tails = tailsOf(expectations, present, isPlain(expectations, { baseline }));
    const mean = values_meanOf(present.after.map(({ value }) => value));
    const expected = nearestExpected(expectations, mean, (one) => one.mean);
    const found = mean - expected;
    const reach = reachOf(expectations);
    const [low, high] = findInterval(tails, errorRate, [found - reach, found + reach]);
    const back = isPositive ? Math.exp : (value) => value;
    const relative = (shift) => (isPositive ? Math.expm1(shift) : divide(shift, Math.abs(expected)));
    return {
        before: medianOf(presentOf(before)),
        after: medianOf(presentOf(after)),
        expected: back(expected),
        change: relative(found),
        low: relative(low),
        high: relative(high),
        ...tails(0),
        chanceAlone: weightOf(expectations, ({ isChanceAlone }) => isChanceAlone),
    };
}
/** As far as an interval can reach from what was found. */
function reachOf(expectations) {
    const spread = Math.max(...expectations.map(({ variance, noise }) => Math.sqrt(variance + noise)));
    return 60 * spread + 1e-9;
}
function tailsOf(expectations, { before, after }, isPlainToo) {
    const valuesOf = (side) => side.map(({ value }) => value).filter((value) => !Number.isNaN(value));
    const [first, second] = [valuesOf(before), valuesOf(after)];
    const mean = values_meanOf(second);
    return (shift) => {
        const { pHigher, pLower } = combineTails(expectations, (one) => {
            const distance = (mean - shift - one.mean) / Math.sqrt(one.variance + one.noise);
            return { pHigher: studentTail(distance, one.freedom), pLower: studentTail(-distance, one.freedom) };
        });
        if (!isPlainToo)
            return { pHigher, pLower };
        const ranks = testRanks(first, second.map((value) => value - shift));
        return { pHigher: Math.max(pHigher, ranks.pHigher), pLower: Math.max(pLower, ranks.pLower) };
    };
}
/** On the scale, outliers drawn in. The variance of a bucket is not known; all have the same. */
function observe(values, scale) {
    const present = presentOf(values).map(scale);
    const middle = medianOf(present);
    const reach = OUTLIER * DEVIATION_OF_MEDIAN * medianOf(present.map((value) => Math.abs(value - middle)));
    const draw = (value) => (reach === 0 ? value : Math.max(middle - reach, Math.min(middle + reach, value)));
    return values.map((value) => ({ value: isPresent(value) ? draw(scale(value)) : Number.NaN, variance: 1 }));
}
const isPresent = (value) => value !== null && Number.isFinite(value);
const presentOf = (values) => values.filter(isPresent);
const values_meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const divide = (value, by) => (value === 0 ? 0 : value / by);
/** @returns NaN of none */
function medianOf(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (place) => sorted[place] ?? Number.NaN;
    return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
}

;// CONCATENATED MODULE: ./packages/compare/lib/judge.js
/**
 * Series in, verdicts out: the whole judgement, pure. A series got worse where three things hold: what was to be expected explains the
 * values after the event badly enough, the change is large enough to matter, and there was enough to look at. Where nothing changed,
 * all series of one call together are called worse at most as often as `errorRate` says.
 * docs/compare.md says what the tests can find, with how many events, and how often they are wrong; `npm run bench -- verdicts` measures it.
 */




const JUDGE_DEFAULTS = { errorRate: 0.05, tolerance: 0.1 };
/** What a series needs to be judged at all. */
const VOLUMES = {
    /** Things that something was counted out of, such as requests, in each window. */
    outOf: 20,
    /** Events, such as failed requests, in the window that has more of them, before a change is believed. */
    events: 5,
    /** Buckets with a value, or of a count, in each window. */
    buckets: 8,
};
/** A season of which fewer buckets have something is none: the service was not there yet, or was down. */
const SEASON_PRESENCE = 0.8;
/** @returns one for each series, in their order */
function judge(series, options) {
    const candidates = series.map((one) => examine(one, options.errorRate));
    const tested = candidates.filter(({ judgement }) => judgement.lack === undefined && judgement.verdict !== 'gone');
    for (const isDirected of [true, false]) {
        const family = tested.filter(({ isHigherWorse }) => (isHigherWorse !== undefined) === isDirected);
        // The bad side of all, and the good side of all: each is wrong at most as often as the error rate says.
        const bad = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pLower : pHigher)));
        const good = adjust(family.map(({ isHigherWorse, pHigher, pLower }) => (isHigherWorse === false ? pHigher : pLower)));
        for (const [at, candidate] of family.entries())
            decide(candidate, bad[at] ?? 1, good[at] ?? 1, options);
    }
    return candidates.map(({ judgement }) => judgement);
}
function decide({ judgement, isHigherWorse, hasEvents }, bad, good, options) {
    const { errorRate, tolerance } = options;
    const { change, low, high, isUneven } = judgement;
    const worsening = isHigherWorse === false ? -change : change;
    const [up, down] = isHigherWorse === undefined ? ['higher', 'lower'] : ['worse', 'better'];
    judgement.chance = Math.min(bad, good);
    if (hasEvents && bad <= errorRate && worsening >= tolerance)
        judgement.verdict = up ?? 'higher';
    else if (hasEvents && good <= errorRate && -worsening >= tolerance)
        judgement.verdict = down ?? 'lower';
    else if (low >= -tolerance && high <= tolerance)
        judgement.verdict = 'same';
    else if (hasEvents && judgement.chance <= errorRate)
        judgement.lack = `a change, but perhaps one below the ${tolerance * 100} % that matter`;
    else
        judgement.lack = describeLack(hasEvents, isUneven);
}
/** Why a change can be neither found nor ruled out; the interval beside it says which changes are left. */
function describeLack(hasEvents, isUneven) {
    if (!hasEvents)
        return `fewer than ${VOLUMES.events} events on either side`;
    return isUneven ? 'the time before was so uneven that it happens by itself' : 'with so few it happens by chance';
}
function examine(series, errorRate) {
    return series.kind === 'measurement' ? examineValues(series, errorRate) : examineCounts(series, errorRate);
}
function examineCounts(series, errorRate) {
    const whole = sumOf([...series.before, ...series.after]);
    // The rarer side is judged: that 2 % failed instead of 1 % is plain, that 98 % went well instead of 99 % is not.
    const ofTheRest = series.kind === 'share' && whole.events > whole.outOf / 2;
    const turn = (buckets) => ofTheRest ? buckets.map(({ events, outOf }) => ({ events: outOf - events, outOf })) : buckets;
    const turnSides = ({ before, after }) => ({ before: turn(before), after: turn(after) });
    const isShare = series.kind === 'share';
    const counted = {
        kind: series.kind,
        ...turnSides(series),
        seasons: seasonsOf(series, (bucket) => (isShare ? bucket.outOf : bucket.events) > 0).map(turnSides),
        baseline: series.baseline && turnSides(series.baseline),
    };
    const sizeOf = (buckets) => (isShare ? sumOf(buckets).outOf : buckets.length);
    const volume = { before: sizeOf(series.before), after: sizeOf(series.after) };
    const [before, after] = [sumOf(counted.before), sumOf(counted.after)];
    const lack = isShare ? lackOf(volume, VOLUMES.outOf, 'counted out of') : lackOf(volume, VOLUMES.buckets, 'buckets');
    const none = lack ?? (before.events + after.events === 0 ? describeNone(after, errorRate, isShare) : undefined);
    const tested = none === undefined ? testCounts(counted, errorRate) : untested(judge_rateOf(before), judge_rateOf(after));
    const shown = ofTheRest
        ? { ...tested, before: 1 - tested.before, after: 1 - tested.after, expected: 1 - tested.expected }
        : tested;
    const isHigherWorse = series.direction === undefined ? undefined : (series.direction === 'higher-is-worse') !== ofTheRest;
    const sizes = (buckets) => buckets.map(({ events, outOf }) => (isShare ? outOf : events));
    // That what is counted because it is bad is there no more is good; that nothing at all is there is the worst.
    const isGoodRiddance = !isShare && !series.present && series.direction === 'higher-is-worse';
    const [sizesBefore, sizesAfter] = series.present
        ? [series.present.before.map(Number), series.present.after.map(Number)]
        : [sizes(series.before), sizes(series.after)];
    return {
        ...tested,
        isHigherWorse,
        hasEvents: Math.max(before.events, after.events) >= VOLUMES.events,
        judgement: unjudged(shown, {
            ofTheRest,
            volume,
            lack: none,
            seasons: counted.seasons?.length ?? 0,
            isGone: !isGoodRiddance && isGone(sizesBefore, sizesAfter),
        }),
    };
}
function examineValues(series, errorRate) {
    const seasons = seasonsOf(series, (value) => value !== null);
    const [before, after] = [presentOf(series.before), presentOf(series.after)];
    const volume = { before: before.length, after: after.length };
    const lack = lackOf(volume, VOLUMES.buckets, 'buckets');
    const tested = lack === undefined ? testValues({ ...series, seasons }, errorRate) : untested(medianOf(before), medianOf(after));
    // A sum is 0 where there is nothing; where less is better, that is good.
    const isEmpty = (value) => value === null || (value === 0 && series.direction !== 'higher-is-worse');
    const sizes = (values) => values.map((value) => (isEmpty(value) ? 0 : 1));
    return {
        ...tested,
        isHigherWorse: series.direction && series.direction === 'higher-is-worse',
        hasEvents: true,
        judgement: unjudged(tested, {
            ofTheRest: false,
            volume,
            lack,
            seasons: seasons.length,
            isGone: isGone(sizes(series.before), sizes(series.after)),
        }),
    };
}
/** The seasons in which there was something in nearly as many buckets as there is now. */
function seasonsOf({ before, seasons = [] }, isPresent) {
    const presence = (buckets) => buckets.filter(isPresent).length / Math.max(1, buckets.length);
    const least = SEASON_PRESENCE * presence(before);
    return seasons.filter((season) => presence(season.before) >= least && presence(season.after) > 0);
}
/** The window that has less than is needed, in words. */
function lackOf(volume, least, what) {
    const window = volume.before < least ? 'before' : volume.after < least ? 'after' : undefined;
    if (window === undefined)
        return undefined;
    const size = volume[window];
    const amount = what === 'buckets' ? `${size} buckets` : `counted out of ${size}`;
    return `${amount} in the window ${window}, at least ${least} are needed`;
}
function describeNone(after, errorRate, isShare) {
    const upper = upperRateOfNone(after.outOf, errorRate);
    const possible = isShare ? `${(upper * 100).toPrecision(2)} %` : `${upper.toPrecision(2)} a minute`;
    return `none before and none after; up to ${possible} could have gone unseen`;
}
const judge_rateOf = ({ events, outOf }) => (outOf > 0 ? events / outOf : Number.NaN);
/** Where there is too little for a test the two figures are shown all the same. */
function untested(before, after) {
    const none = { expected: Number.NaN, change: Number.NaN, low: Number.NaN, high: Number.NaN };
    return { before, after, ...none, pHigher: 1, pLower: 1, chanceAlone: 1 };
}
function unjudged({ before, after, expected, change, low, high, chanceAlone }, { lack, isGone: isMissing, ...rest }) {
    const numbers = { before, after, expected, change, low, high, isUneven: chanceAlone < 0.5, ...rest };
    if (isMissing)
        return { verdict: 'gone', ...numbers };
    return { verdict: 'too-little-data', ...numbers, ...(lack !== undefined && { lack }) };
}

;// CONCATENATED MODULE: ./packages/compare/lib/neighbours.js
/** The window after an event may be cut to this share of its length, … */
const AFTER_SHARE = 0.5;
/** … and the one before to as much as is looked at after. */
const BEFORE_SHARE = 1;
/** @returns the windows without what others may have changed, as far as that leaves enough, and who is near */
function cutAtNeighbours(windows, marks) {
    const { before, after } = windows;
    const length = after.endMs - after.startMs;
    const later = marks.filter(({ startMs }) => startMs >= after.startMs && startMs < after.endMs);
    const earlier = marks.filter(({ endMs, startMs }) => endMs > before.startMs && startMs < after.startMs);
    // Each mark at which a window may end leaves enough by itself; the nearest of them ends it.
    const endsAfter = (mark) => mark.startMs - after.startMs >= AFTER_SHARE * length;
    const endsBefore = (mark) => before.endMs - mark.endMs >= BEFORE_SHARE * length;
    const endMs = Math.min(after.endMs, ...later.filter(endsAfter).map((mark) => mark.startMs));
    const startMs = Math.max(before.startMs, ...earlier.filter(endsBefore).map((mark) => mark.endMs));
    const describe = (mark, side, isCutOff) => ({
        name: mark.name,
        timeMs: mark.startMs,
        side,
        isCutOff,
    });
    return {
        windows: {
            ...windows,
            before: { startMs, endMs: before.endMs },
            after: { startMs: after.startMs, endMs },
        },
        neighbours: [
            ...earlier.map((mark) => describe(mark, 'before', endsBefore(mark))),
            ...later.map((mark) => describe(mark, 'after', endsAfter(mark))),
        ],
    };
}

;// CONCATENATED MODULE: ./packages/compare/lib/windows.js
/**
 * The stretches of time that are compared, around an event that is a moment or a span. What lies within the span belongs to
 * neither side, because a deployment under way is a mixture of both; of an incident it is the time that matters, so it can be compared
 * in place of the time after.
 */


/** A day and a week ago it was the same hour, and mostly the same kind of day. */
const SEASONS_MS = [UNIT_MS.d, UNIT_MS.w];
/** So many times the window after the event is the window before it, unless told otherwise; docs/compare.md says why. */
const BEFORE_TIMES = 6;
/** @param nowMs where the window after ends at the latest */
function windowsAround({ startMs, endMs }, { windowMs, beforeMs, seasonsMs }, nowMs) {
    const after = { startMs: endMs, endMs: Math.max(endMs, Math.min(endMs + windowMs, nowMs)) };
    const before = { startMs: startMs - beforeMs, endMs: startMs };
    return { before, after, seasonsMs };
}
/** The same with the time of the event itself, as far as it is over, in place of the time after it. */
function windowsDuring({ startMs, endMs }, { beforeMs }, nowMs) {
    const during = { startMs, endMs: Math.max(startMs, Math.min(endMs, nowMs)) };
    return { before: { startMs: startMs - beforeMs, endMs: startMs }, after: during, seasonsMs: [] };
}
/** Events are sent in batches: those of the last seconds of a window arrive after it is over. */
const ARRIVAL_MS = 30_000;
/** @returns how long to wait until the window after the event is over and its events have arrived, at most `waitMsMax` */
function waitBefore({ endMs }, { windowMs }, waitMsMax, nowMs) {
    return Math.max(0, Math.min(waitMsMax, endMs + windowMs + ARRIVAL_MS - nowMs));
}
/** A look each so often, from the middle of the window on: events of some senders are minutes late, and that is no outage. */
const LOOK_MS_MIN = UNIT_MS.m;
const LOOKS = 10;
const FIRST_LOOK = 5;
/** @returns when to look while the window after the event is not over, as far as waiting is allowed; milliseconds since the epoch */
function looksBefore({ endMs }, { windowMs }, waitMsMax, nowMs) {
    const everyMs = Math.max(LOOK_MS_MIN, windowMs / LOOKS);
    const looks = [];
    for (let at = FIRST_LOOK * everyMs; at < windowMs; at += everyMs)
        looks.push(endMs + at + ARRIVAL_MS);
    return looks.filter((lookMs) => lookMs > nowMs && lookMs <= nowMs + waitMsMax);
}
function shift({ startMs, endMs }, byMs) {
    return { startMs: startMs + byMs, endMs: endMs + byMs };
}
function contains(outer, inner) {
    return inner.startMs >= outer.startMs && inner.endMs <= outer.endMs;
}
/** As queries take it. */
function formatSpan({ startMs, endMs }) {
    return { startTime: formatMs(startMs), endTime: formatMs(endMs) };
}
function formatMs(ms) {
    return timestamp_formatTimestamp(BigInt(Math.round(ms)) * UNIT_NS.ms);
}

;// CONCATENATED MODULE: ./packages/compare/lib/tables.js
/**
 * Answers of queries become series: one for each group and judged column.
 * A query that is grouped by time was asked once over all windows; its buckets are sorted into them, and a bucket that lies in
 * two, or at an edge, into none. One that is not was asked once for each window.
 */



const tables_MS_PER_MINUTE = 60_000;
const tables_NS_PER_MS = 1_000_000;
/** @returns whether an answer is grouped by time */
function isByTime(table) {
    return readBucketMs(table) !== undefined;
}
/** @returns series with more in them first, which is how they are left out where there are too many */
function readSeries({ seasons, baseline, ...sides }) {
    const readSides = ({ before, after }) => ({ before: tables_readRows(before), after: tables_readRows(after) });
    const windows = { own: readSides(sides), seasons: seasons.map(readSides), baseline: baseline && readSides(baseline) };
    const { before, after } = windows.own;
    // A window without rows does not say which columns it would have had.
    const [known = after] = [after, before].filter(({ rows }) => rows.size > 0);
    const groups = new Set([...after.rows.keys(), ...before.rows.keys()]);
    const series = [...groups].flatMap((group) => known.columns.judged.map((column) => ({
        group: JSON.parse(group),
        column: column.name,
        isBareCount: column.isBareCount,
        series: readOne(group, column),
    })));
    const weights = new Map(series.map((one) => [one, tables_weightOf(one.series)]));
    return series.sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
    function readOne(group, column) {
        if (column.kind !== 'measurement') {
            // `countif` has a row, with 0, wherever there was an event; a `count` behind a filter has none for none.
            const present = column.kind === 'count' && !column.isBareCount && readAll(presenceOf, false);
            return { kind: column.kind, ...readAll(countsOf, { events: 0, outOf: 0 }), ...(present && { present }) };
        }
        return { kind: 'measurement', ...readAll(valuesOf, null) };
        function readAll(read, none) {
            const sidesOf = (rows) => ({
                before: read(rows.before, group, column),
                after: read(rows.after, group, column),
            });
            const own = sidesOf(windows.own);
            const align = (other) => ({
                // Buckets are counted from the event, so that those next to it go together.
                before: own.before.map((_, at) => other.before.at(at - own.before.length) ?? none),
                after: own.after.map((_, at) => other.after[at] ?? none),
            });
            return {
                ...own,
                ...(windows.seasons.length > 0 && { seasons: windows.seasons.map((season) => align(sidesOf(season))) }),
                ...(windows.baseline && { baseline: align(sidesOf(windows.baseline)) }),
            };
        }
    }
}
function tables_readRows({ table, span }) {
    const columns = readColumns(table);
    const times = columns.timeAt === undefined ? [] : (table.columns[columns.timeAt] ?? []).map((time) => Date.parse(String(time)));
    const bucketMs = readBucketMs(table);
    const starts = bucketMs === undefined ? [0] : startsOf(times, bucketMs, span);
    const bucketOf = new Map(starts.map((start, bucket) => [start, bucket]));
    const rows = new Map();
    for (let row = 0; row < (table.columns[0]?.length ?? 0); row++) {
        const bucket = bucketOf.get(bucketMs === undefined ? 0 : (times[row] ?? 0));
        if (bucket === undefined)
            continue;
        const group = JSON.stringify(columns.groupsAt.map((at) => toLabel(table.columns[at]?.[row])));
        const ofGroup = rows.get(group) ?? new Array(starts.length).fill(undefined);
        ofGroup[bucket] = row;
        rows.set(group, ofGroup);
    }
    // Of a query that is not by time the window is one bucket, which says nothing of how a count scatters: such a one has no minutes.
    return { columns, table, rows, bucketCount: starts.length, bucketMinutes: (bucketMs ?? 0) / tables_MS_PER_MINUTE };
}
/** Starts of the buckets that lie within the span as a whole; those without rows too. */
function startsOf([anchor = 0], bucketMs, span) {
    const first = anchor + Math.ceil((span.startMs - anchor) / bucketMs) * bucketMs;
    const starts = [];
    for (let start = first; contains(span, { startMs: start, endMs: start + bucketMs }); start += bucketMs)
        starts.push(start);
    return starts;
}
/** The size that the answer states, or else the least distance of two of its times. */
function readBucketMs(table) {
    if (table.buckets)
        return Number(table.buckets.size) / tables_NS_PER_MS;
    if (!table.fields.some(({ agg }) => agg))
        return undefined;
    const at = table.fields.findIndex(({ name }) => name === '_time');
    const times = [...new Set((table.columns[at] ?? []).map((time) => Date.parse(String(time))))].sort((a, b) => a - b);
    const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
    return distances.length === 0 ? undefined : Math.min(...distances);
}
function valuesOf(window, group, { at, isZeroWhereAbsent }) {
    const empty = isZeroWhereAbsent && window.bucketMinutes > 0 ? 0 : null;
    return bucketsOf(window, group).map((row) => (row === undefined ? empty : (toNumber(window.table.columns[at]?.[row]) ?? empty)));
}
function countsOf(window, group, { at, outOfAt }) {
    const { columns } = window.table;
    const numberAt = (column, row) => (row === undefined ? 0 : (toNumber(columns[column]?.[row]) ?? 0));
    return bucketsOf(window, group).map((row) => ({
        events: numberAt(at, row),
        outOf: outOfAt === undefined ? window.bucketMinutes : numberAt(outOfAt, row),
    }));
}
function presenceOf(window, group) {
    return bucketsOf(window, group).map((row) => row !== undefined);
}
function bucketsOf({ rows, bucketCount }, group) {
    return rows.get(group) ?? new Array(bucketCount).fill(undefined);
}
function tables_weightOf({ kind, before, after }) {
    if (kind === 'measurement')
        return [...before, ...after].filter((value) => value !== null).length;
    const counted = [...before, ...after];
    return counted.reduce((sum, { events, outOf }) => sum + (kind === 'share' ? outOf : events), 0);
}
function toLabel(value) {
    if (value === null || value === undefined)
        return '(none)';
    return typeof value === 'object' ? stringifyExact(value) : String(value);
}

;// CONCATENATED MODULE: ./packages/compare/lib/verdict.js
/** What is said of a series, and of all of them together. */
/**
 * The gravest first. `gone`: there was data nearly always before, and there is none now. `lower` and `higher` are changes of which nobody
 * said whether they are bad. `too-little-data`: a change that matters can be neither found nor ruled out.
 */
const VERDICTS = ['gone', 'worse', 'lower', 'higher', 'better', 'too-little-data', 'same'];
/** The gravest decides; `same` is said only where all are. */
function summarizeVerdicts(verdicts) {
    return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'too-little-data';
}
/** @returns whether a gate that names these verdicts stops here: what is gone is worse, too */
function isFailing(verdict, failOn) {
    return failOn.includes(verdict) || (verdict === 'gone' && failOn.includes('worse'));
}

;// CONCATENATED MODULE: ./packages/compare/lib/comparison.js
/**
 * The story of a comparison, for whoever can ask a service: ask each query over the windows, make series of the answers, judge
 * them together. It does no I/O of its own: `ask` is given.
 */






/** A query whose answer cannot be compared, or that answered a part only. The message says what to change. */
class ComparisonError extends Error {
    name = 'ComparisonError';
}
/** The service cannot find some events at the moment, such as with a full disk: an outage, which is nobody's mistake. */
class MissingEventsError extends ComparisonError {
    name = 'MissingEventsError';
}
/** So many groups of a query are judged, those with most in them; each more makes all harder to judge. */
const SERIES_PER_QUERY_MAX = 20;
/** @throws ComparisonError, and whatever `ask` throws */
async function compare(ask, queries, options) {
    const { windows, neighbours } = cutAtNeighbours(options.windows, options.marks ?? []);
    const notes = [];
    const named = [];
    // One after the other: a service under load after a deployment is not asked ten things at once.
    for (const query of queries) {
        const answered = await askWindows(ask, query, windows, options.baselines?.get(query.name));
        const found = readSeries(answered);
        if (found.length === 0)
            notes.push(`The query “${query.name}” answered nothing in either window.`);
        if (found.length > SERIES_PER_QUERY_MAX)
            notes.push(`The query “${query.name}” has ${found.length} series; the ${SERIES_PER_QUERY_MAX} with most in them were judged.`);
        const byTime = isByTime(answered.after.table);
        if (!byTime && answered.baseline)
            notes.push(`The query “${query.name}” has to be grouped by time to be compared with a baseline.`);
        named.push(...found.slice(0, SERIES_PER_QUERY_MAX).map((one) => ({ ...one, query, isByTime: byTime })));
    }
    const directions = named.map(({ query, isBareCount }) => directionOf(query, isBareCount, options.direction));
    const judged = judge(named.map(({ series }, at) => ({ ...series, direction: directions[at] })), options);
    const around = { all: named, neighbours, before: windows.before };
    const series = named.map((one, at) => describe(one, judged[at], directions[at], around));
    for (const one of series)
        explainReplaced(one, series);
    await addCarriers(ask, series, queries, { windows, readFields: options.readFields });
    return {
        verdict: summarizeVerdicts(series.map(({ verdict }) => verdict)),
        windows: {
            before: formatSpan(windows.before),
            after: formatSpan(windows.after),
            seasons: windows.seasonsMs.map((ago) => formatSpan(shift(windows.after, -ago))),
        },
        series,
        event: options.event ?? '',
        neighbours,
        notes,
    };
}
/** So many changed series are looked into, the gravest first: each takes two questions a field. */
const CARRIED_MAX = 2;
/** What carries a change is worth no failure: where it cannot be asked, it stays unknown. */
async function addCarriers(ask, series, queries, { windows, readFields }) {
    const changed = series.filter(({ verdict, kind }) => ['worse', 'higher', 'lower'].includes(verdict) && kind !== 'measurement');
    for (const one of readFields ? changed.slice(0, CARRIED_MAX) : []) {
        const query = queries.find(({ name }) => name === one.query);
        if (!query || !readFields)
            continue;
        const askTable = async (apl, span) => (await ask({ ...query, apl }, formatSpan(span))).tables[0];
        one.carriers = await readFields(query)
            .then((fields) => findCarriers(askTable, query, fields, windows))
            .catch(() => []);
    }
}
function directionOf({ direction }, isBareCount, usual) {
    if (usual === 'none')
        return direction;
    return direction ?? usual ?? (isBareCount ? undefined : 'higher-is-worse');
}
/** One question for a query by time, so that its buckets are of one size whatever chooses it; otherwise one for each window. */
async function askWindows(ask, query, { before, after, seasonsMs }, baseline) {
    const tableOf = async (span, asked = query) => readTable(asked, await ask(asked, formatSpan(span)));
    const whole = { startMs: before.startMs, endMs: after.endMs };
    const table = await tableOf(whole);
    const of = (span, answered) => ({ table: answered, span });
    if (!isByTime(table)) {
        return { before: of(before, await tableOf(before)), after: of(after, await tableOf(after)), seasons: [] };
    }
    const seasons = [];
    // What ran beside says more than other days do.
    for (const ago of baseline ? [] : seasonsMs) {
        const answered = await tableOf(shift(whole, -ago)).catch(ignorePart);
        // A time without any event says nothing; its buckets would have no size either.
        if (answered && isByTime(answered) && (answered.columns[0]?.length ?? 0) > 0)
            seasons.push({ before: of(shift(before, -ago), answered), after: of(shift(after, -ago), answered) });
    }
    const beside = baseline && (await tableOf(whole, baseline));
    return {
        before: of(before, table),
        after: of(after, table),
        seasons,
        ...(beside && { baseline: { before: of(before, beside), after: of(after, beside) } }),
    };
}
/** Another day that was answered in part only is none: the comparison can do without it. */
function ignorePart(error) {
    if (!(error instanceof ComparisonError))
        throw error;
}
function readTable({ name }, { tables: [table], status }) {
    if (status.isPartial)
        throw partialError(name, status);
    const rows = table?.columns[0]?.length ?? 0;
    if (!table || (rows > 1 && table.groups.length === 0 && !isByTime(table)))
        throw new ComparisonError(`The query “${name}” answers single events. End it with a summarize, such as "| summarize count() by bin(_time, 1m)".`);
    return table;
}
function partialError(name, { messages = [] }) {
    const missing = messages.find(({ code }) => code === 'missing_events');
    if (missing)
        return new MissingEventsError(`The query “${name}” may have been answered without some events: ${missing.msg}. Compare again when that is over.`);
    const why = messages.length > 0
        ? `The service said: ${messages.map(({ msg }) => msg).join('; ')}.`
        : 'The service did not say why. Where it is too much to read, a filter or a shorter window helps.';
    return new ComparisonError(`The query “${name}” was answered in part only. ${why}`);
}
function describe({ query, group, column, series, isByTime: byTime }, judgement, direction, { all, neighbours, before }) {
    const columns = new Set(all.filter((one) => one.query === query).map((one) => one.column));
    const parts = [query.name, ...group, ...(columns.size > 1 || query.name === '' ? [column] : [])];
    const name = parts.filter((part) => part !== '').join(' · ');
    const within = neighbours.find(({ side, isCutOff }) => side === 'before' && !isCutOff);
    const because = judgement.isUneven && within ? `, with ${within.name} at ${formatTime(within.timeMs)} in it` : describeStart(series, before);
    const lack = byTime || series.kind === 'share' ? judgement.lack : 'one number says nothing of chance: add "by bin(_time, 1m)"';
    return {
        ...judgement,
        ...(lack !== undefined && { lack: lack + because }),
        name,
        query: query.name,
        ...(direction && { direction }),
        kind: series.kind,
        carriers: [],
        chart: byTime ? chartOf(series) : { before: [], after: [] },
    };
}
/** A group, such as an old version, is not gone where another one of its query began: it was replaced. */
function explainReplaced(one, all) {
    const isEmpty = (values) => values.every((value) => value === null || value === 0);
    const isNew = ({ query, name, chart }) => query === one.query && name !== one.name && isEmpty(chart.before) && !isEmpty(chart.after);
    const other = one.verdict === 'gone' && one.chart.before.length > 1 ? all.find(isNew) : undefined;
    if (!other)
        return;
    one.verdict = 'too-little-data';
    one.lack = `replaced by ${other.name}`;
}
/** So much of the time before has to be empty at its start for that to be a reason. */
const YOUNG = 0.2;
/** Of a service that has just begun there is little to compare with. */
function describeStart(series, { startMs, endMs }) {
    const isEmpty = (bucket) => typeof bucket === 'object' ? !bucket?.outOf || bucket.events === 0 : false;
    const first = series.before.findIndex((bucket) => !isEmpty(bucket));
    const share = first / series.before.length;
    if (series.before.length < 2 || share < YOUNG)
        return '';
    return `; there is data only since ${formatTime(startMs + share * (endMs - startMs))}`;
}
/** @returns `07:16`, in UTC */
function formatTime(ms) {
    return new Date(ms).toISOString().slice(11, 16);
}
function chartOf(series) {
    if (series.kind === 'measurement')
        return { before: [...series.before], after: [...series.after] };
    const rates = (window) => window.map(({ events, outOf }) => (outOf > 0 ? events / outOf : null));
    return { before: rates(series.before), after: rates(series.after) };
}

;// CONCATENATED MODULE: ./packages/compare/lib/default-queries.js
const isNumber = (type) => /integer|float|number/.test(type);
const isText = (type) => /string/.test(type);
const isBoolean = (type) => /bool/.test(type);
/** A server says 500 and more where the failure is its own. */
const SERVER_ERROR = (field) => `${field} >= 500`;
const ERROR_LEVELS = ['error', 'err', 'fatal', 'critical', 'crit', 'alert', 'emergency', 'emerg', 'panic', 'severe'];
const ERROR_LEVEL = (field) => `tolower(${field}) in (${ERROR_LEVELS.map((level) => `'${level}'`).join(', ')})`;
const SPAN_ERROR = (field) => `tolower(${field}) in ('error', 'status_code_error')`;
/** A name, the types that it has where it means this, and when an event counts as failed. */
const ERRORS = [
    ['http.response.status_code attributes.http.response.status_code', isNumber, SERVER_ERROR],
    ['http.status_code attributes.http.status_code status_code statusCode http_status', isNumber, SERVER_ERROR],
    ['status response.status res.statusCode code', isNumber, SERVER_ERROR],
    ['status.code', isText, SPAN_ERROR],
    ['status.code', isNumber, (field) => `${field} == 2`],
    ['error is_error failed', isBoolean, (field) => `${field} == true`],
    ['ok success succeeded', isBoolean, (field) => `${field} == false`],
    ['level severity SeverityText severity_text log.level loglevel', isText, ERROR_LEVEL],
];
const LATENCIES = [
    'duration_ms durationMs latency_ms latencyMs elapsed_ms response_time_ms responseTime request_time_ms ms',
    'duration latency elapsed response_time request_time took http.server.request.duration',
].flatMap((names) => names.split(' '));
/** @param bucket length of a bucket as queries have it @returns the queries, each named after what it looks at */
function defaultQueries(dataset, fields, bucket) {
    const source = `['${dataset}']`;
    return [
        { name: `${dataset} traffic`, apl: `${source}\n| summarize requests = count() by bin(_time, ${bucket})` },
        ...rateQueries(source, dataset, fields, bucket),
    ];
}
/** The share of errors and the latencies alone, of a source that may have filters. */
function rateQueries(source, name, fields, bucket) {
    const failed = findErrors(fields);
    const latency = findLatency(fields);
    const by = `by bin(_time, ${bucket})`;
    return [
        // A filter that looks at the same field leaves the failed ones alone, or none of them.
        ...(failed && !source.slice(source.indexOf('|') + 1 || source.length).includes(failed.name)
            ? [
                {
                    name: `${name} errors`,
                    apl: `${source}\n| summarize failed = countif(${failed.condition}), requests = count() ${by}`,
                },
            ]
            : []),
        ...(latency ? [{ name: `${name} ${latency.name}`, apl: `${source}\n| summarize ${latency.percentiles} ${by}` }] : []),
    ].map((query) => ({ ...query, direction: 'higher-is-worse' }));
}
function findErrors(fields) {
    for (const [names, isOfType, condition] of ERRORS) {
        for (const name of names.split(' ')) {
            const field = fields.find((one) => one.name === name && isOfType(one.type));
            if (field)
                return { name, condition: condition(quoteField(name)) };
        }
    }
    return undefined;
}
function findLatency(fields) {
    const name = LATENCIES.find((one) => fields.some((field) => field.name === one && (isNumber(field.type) || field.type === 'timespan')));
    if (name === undefined)
        return undefined;
    const percentiles = [50, 95, 99].map((p) => `p${p} = percentile(${quoteField(name)}, ${p})`).join(', ');
    return { name, percentiles };
}
/** Names of the lists have letters, digits, `_` and dots: those with dots are quoted, so that they are one name. */
function quoteField(name) {
    return name.includes('.') ? `['${name}']` : name;
}

;// CONCATENATED MODULE: ./packages/contract/lib/epoch.js
/**
 * Numbers since the Unix epoch, told apart by their magnitude: seconds, milliseconds, microseconds or nanoseconds.
 * Deliberately not here: which of them an interface takes; the step reads only the first two, which people type.
 */
/** The bounds from which a number counts the next finer unit; the first one, in seconds, is the year 5138. */
const SECONDS_BELOW = 10n ** 11n;
const MILLIS_BELOW = 10n ** 14n;
const MICROS_BELOW = 10n ** 17n;
/**
 * @param text a JSON number, such as `1769860800`, `1769860800.5` (as `date +%s.%N` writes it) or `1.7698608e9`
 * @returns nanoseconds since the epoch, digits below 1 ns cut off; `undefined` if the text is not a number
 */
function parseEpoch(text) {
    const part = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
    if (!part)
        return undefined;
    const [, sign, whole = '', fraction = '', power = '0'] = part;
    // The value is digits × 10^-places.
    const digits = BigInt(whole + fraction);
    const places = fraction.length - Number(power);
    const units = epoch_shift(digits, -places);
    const scale = units < SECONDS_BELOW ? 9 : units < MILLIS_BELOW ? 6 : units < MICROS_BELOW ? 3 : 0;
    const ns = epoch_shift(digits, scale - places);
    return sign === '-' ? -ns : ns;
}
function epoch_shift(digits, places) {
    return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
}

;// CONCATENATED MODULE: ./packages/inputs/lib/input-time.js
/**
 * The time inputs: `now`, Unix epoch numbers, and the contract's timestamps, all to the nanosecond.
 */




/**
 * Seconds or milliseconds. Nine digits and more: 2026 or 20260131 is a date that lacks its dashes, not a second of 1970. Up to
 * fourteen, which is where the contract's microseconds begin.
 */
const EPOCH = /^\d{9,14}(?:\.\d{1,9})?$/;
/** @param also says which words besides are taken for this input @throws InputError naming the input and the value */
function parseInputTime(name, text, also = ' or "now"') {
    if (text === '')
        return undefined;
    if (text === 'now')
        return 'now';
    const ns = EPOCH.test(text) ? parseEpoch(text) : parseTimestamp(text);
    if (ns === undefined) {
        return input_error_refuse(name, ` is ${text_quote(text)}: it must be ${TIMESTAMP_FORMS}, Unix epoch seconds or milliseconds${also}`);
    }
    if (!isStorable(ns))
        input_error_refuse(name, ` is ${text_quote(text)}: only the years 1900 to 2262 can be stored`);
    return { ns };
}
function formatInputTime(time, now) {
    return time === 'now' ? now : formatTimestamp(time.ns);
}

;// CONCATENATED MODULE: ./packages/contract/lib/dataset-name.js
/**
 * Names of datasets: ASCII letters, digits and `-`, 1 to 128 of them; `Web` and `web` are two datasets. They have a file of their own
 * because the step needs nothing else of datasets, and every byte of its bundle is loaded on every deploy.
 */
const DATASET_NAME_LENGTH_MIN = 1;
const DATASET_NAME_LENGTH_MAX = 128;
/** One character of a name, as a regular expression writes it. */
const DATASET_NAME_CHARACTER = '[A-Za-z0-9-]';
/** The rule for the characters alone, for schemas: there a wrong length has an error code of its own. */
const DATASET_NAME_CHARACTERS = (/* unused pure expression or super */ null && (`^${DATASET_NAME_CHARACTER}*$`));
/** The whole rule for a name. */
const dataset_name_DATASET_NAME_PATTERN = new RegExp(`^${DATASET_NAME_CHARACTER}{${DATASET_NAME_LENGTH_MIN},${DATASET_NAME_LENGTH_MAX}}$`);

;// CONCATENATED MODULE: ./packages/inputs/lib/input-values.js
/**
 * The text of one input to its value, or to an InputError that names the input, what it holds and the rule.
 * Times have a file of their own (input-time.ts). Deliberately not here: which inputs there are (mark.ts, service.ts).
 */









const TIMEOUT_SECONDS_MAX = 3_600;
/** @param noToken what to do where there is none */
function parseToken(text, noToken) {
    try {
        return checkToken(text);
    }
    catch (error) {
        if (!(error instanceof ConfigError))
            throw error;
        return input_error_refuse('token', `: ${error.message}; ${text === '' ? noToken : 'store the secret again without it'}`);
    }
}
/** @returns names without blanks around them, each once */
function parseDatasets(text) {
    const names = [...new Set(text.split(/[,\r\n]/).map((name) => name.trim()))].filter((name) => name !== '');
    if (names.length === 0)
        refuse('datasets', ` is ${quote(text)} and names no dataset`);
    const wrong = names.filter((name) => !DATASET_NAME_PATTERN.test(name));
    if (wrong.length === 0)
        return names;
    const rule = 'a dataset name has 1 to 128 ASCII letters, digits and "-"; names are separated by commas';
    return refuse('datasets', ` contains ${wrong.map(quote).join(', ')}: ${rule}`);
}
function parseType(text, name = 'type') {
    if (ANNOTATION_TYPE_PATTERN.test(text) && countPoints(text) <= TYPE_POINTS_MAX)
        return text;
    const rule = `a type has lower-case letters, digits and "-" only, at most ${TYPE_POINTS_MAX}`;
    const suggestion = suggestType(text);
    const hint = suggestion === '' ? '' : `; did you mean ${quote(suggestion)}?`;
    return refuse(name, ` is ${quote(text)}: ${rule}${hint}`);
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
    const points = countPoints(text);
    if (points <= URL_POINTS_MAX)
        return text;
    return refuse('url', ` has ${points} characters, at most ${URL_POINTS_MAX} are stored: ${quote(text)}`);
}
function parseKey(text) {
    if (ANNOTATION_KEY_PATTERN.test(text))
        return text;
    return refuse('key', ` is ${quote(text)}: a key has ${ANNOTATION_KEY_FORM}`);
}
function parseId(text) {
    if (ID_PATTERN.test(text))
        return text;
    return input_error_refuse('id', ` is ${text_quote(text)}: an id looks like ann_… and comes from what created the annotation`);
}
/** @returns milliseconds */
function parseTimeout(text) {
    const seconds = Number(text);
    if (/^[\d.]+$/.test(text) && seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX)
        return seconds * 1_000;
    return input_error_refuse('timeoutSeconds', ` is ${text_quote(text)}: it must be a number of seconds above 0, at most ${TIMEOUT_SECONDS_MAX}`);
}
function parseBoolean(name, text) {
    return parseChoice(name, text.toLowerCase(), ['true', 'false']) === 'true';
}
function parseChoice(name, text, choices) {
    const choice = choices.find((candidate) => candidate === text);
    if (choice !== undefined)
        return choice;
    return input_error_refuse(name, ` is ${text_quote(text)}: it must be ${choices.join(' or ')}`);
}

;// CONCATENATED MODULE: ./packages/inputs/lib/comparison.js









/** Every input of a comparison and its default; '' means that there is none. */
const COMPARISON_DEFAULTS = {
    id: '',
    time: '',
    endTime: '',
    queries: '',
    against: '',
    window: '10m',
    before: '',
    season: '',
    wait: '15m',
    direction: '',
    tolerance: '10%',
    confidence: '95%',
    failOn: '',
};
const BOUNDS = {
    window: ['1m', '7d'],
    before: ['1m', '30d'],
    season: ['1h', '366d'],
    wait: ['0s', '6h'],
};
/** @throws InputError with every problem found */
function parseComparison(raw) {
    return parseAll({
        event: () => parseEvent(raw),
        queries: () => parseNamedQueries(raw),
        baselines: () => parseBaselines(raw),
        windows: () => parseWindows(raw),
        waitMs: () => parseLength('wait', raw.wait),
        direction: () => (raw.direction === '' ? undefined : parseChoice('direction', withoutBlanks(raw.direction), DIRECTIONS)),
        judge: () => parseAll({
            errorRate: () => 1 - parsePercent('confidence', raw.confidence, 80, 99.9) / 100,
            tolerance: () => parsePercent('tolerance', raw.tolerance, 0, 1_000) / 100,
        }),
        failOn: () => parseVerdicts(raw.failOn),
    });
}
function parseEvent({ id, time, endTime }) {
    if (id === '' && time === '')
        input_error_refuse('id', ' is required, or the time of the event to compare around');
    if (id !== '' && time !== '')
        input_error_refuse('id', ' is given and the time of the event too: one of them says around what to compare');
    if (id !== '' && endTime !== '')
        input_error_refuse('endTime', ' goes with the time; with an id it is the end of the annotation');
    if (id !== '')
        return { id: parseId(id) };
    return { time: parseInputTime('time', time) ?? 'now', endTime: parseInputTime('endTime', endTime) };
}
function parseWindows(raw) {
    const { windowMs, beforeMs, seasonsMs } = parseAll({
        windowMs: () => parseLength('window', raw.window),
        beforeMs: () => (raw.before === '' ? undefined : parseLength('before', raw.before)),
        seasonsMs: () => parseSeasons(raw.season),
    });
    return { windowMs, beforeMs: beforeMs ?? BEFORE_TIMES * windowMs, seasonsMs };
}
/** `none`, or lengths of time, separated by commas; by default a day and a week. */
function parseSeasons(text) {
    if (text === '')
        return SEASONS_MS;
    return text === 'none' ? [] : text.split(',').map((length) => parseLength('season', length.trim()));
}
function parseNamedQueries({ id, queries: text }) {
    if (text.trim() === '' && id !== '')
        return [];
    const { queries, problems } = parseQueries(text);
    if (problems.length === 0)
        return queries;
    const rule = 'Write a line "name: query" for each; lines that begin with "|" or a blank go on with the query before';
    return input_error_refuse('queries', `: ${problems.map((problem) => toLog(problem)).join('; ')}. ${rule}`);
}
function parseBaselines({ against, queries }) {
    if (against.trim() === '')
        return new Map();
    if (queries.trim() === '')
        input_error_refuse('against', ' goes with queries: it says what each of them is compared with');
    const { baselines, problems } = parseBaseline(against, parseQueries(queries).queries);
    if (problems.length === 0)
        return baselines;
    const rule = `Write what comes before "summarize", such as "['shop'] | where version == 'stable'", or a query for each name`;
    return input_error_refuse('against', `: ${problems.map((problem) => toLog(problem)).join('; ')}. ${rule}`);
}
/** @returns milliseconds */
function parseLength(name, text) {
    const ns = parseDuration(text);
    const [least, most] = BOUNDS[name];
    if (ns !== undefined && ns >= (parseDuration(least) ?? 0n) && ns <= (parseDuration(most) ?? 0n))
        return Number(ns / UNIT_NS.ms);
    return input_error_refuse(name, ` is ${text_quote(text)}: it must be a length of time from ${least} to ${most}, such as 10m or 1h30m`);
}
/** With or without the sign. */
function parsePercent(name, text, least, most) {
    const percent = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text);
    const value = Number(percent?.[1]);
    if (percent && value >= least && value <= most)
        return value;
    return input_error_refuse(name, ` is ${text_quote(text)}: it must be a percentage from ${least}% to ${most}%`);
}
function parseVerdicts(text) {
    const names = text.split(',').map(withoutBlanks);
    return names.filter((name) => name !== '' && name !== 'never').map((name) => parseChoice('failOn', name, VERDICTS));
}
/** What an outage does: a gate that cannot look does not open, unless that is wanted. */
function parseGateOutage({ onOutage, failOn }) {
    if (onOutage === '')
        return ['', 'never'].includes(failOn.trim()) ? 'warn' : 'fail';
    return parseChoice('onOutage', onOutage, ['warn', 'fail']);
}
/** Values of several words were once written with blanks between them. */
function withoutBlanks(text) {
    return text.trim().replace(/\s+/g, '-');
}
/** Milliseconds since the epoch of an input's time. */
function toMs(time, nowMs) {
    return time === 'now' ? nowMs : Number(time.ns / (UNIT_NS.s / BigInt(UNIT_MS.s)));
}

;// CONCATENATED MODULE: ./packages/inputs/lib/run-comparison.js
/**
 * A comparison from beginning to end, for the step and the command: read when the event was, wait for the time after it to be over,
 * ask, judge. The requests go through calls that are handed in.
 */








/** @throws ClientError, ComparisonError */
async function runComparison(inputs, caller) {
    caller.begin('read the annotation');
    const event = await readEvent(inputs, caller);
    const queries = await chooseQueries(event, inputs, caller);
    const wanted = { ...inputs, queries };
    const looks = looksBefore(event, inputs.windows, inputs.waitMs, Date.now());
    const early = await lookEarly(event, looks, wanted, caller);
    if (early)
        return { comparison: early, title: event.title };
    await waitFor(event, inputs, caller);
    const last = looks.length === 0 ? wanted : withShare(wanted, 1 - EARLY_SHARE);
    return { comparison: await compareAround(event, last, caller), title: event.title };
}
/** @returns what went wrong, and what to do, for people */
function explainComparison(error, operation, door) {
    return error instanceof ComparisonError ? toLog(error.message) : explain(error, operation, door);
}
/** As `isOutage`, also of an answer that lacks events: `onOutage` decides what it does to the job. */
function isComparisonOutage(error) {
    return error instanceof MissingEventsError || isOutage(error);
}
async function readEvent({ event, queries }, { getAnnotation }) {
    if (!('id' in event)) {
        const startMs = toMs(event.time, Date.now());
        const endMs = event.endTime ? toMs(event.endTime, Date.now()) : startMs;
        return { title: new Date(startMs).toISOString(), startMs, endMs, datasets: queries.flatMap(({ apl }) => run_comparison_datasetsOf(apl)) };
    }
    const { id, type, title, time, endTime, datasets } = await getAnnotation(event.id);
    const startMs = Date.parse(time);
    const endMs = endTime === undefined ? startMs : Date.parse(endTime);
    return { title: `${title ?? type} (${id})`, startMs, endMs, id, datasets };
}
/** @returns the datasets that a query begins with, as far as its text shows them */
function run_comparison_datasetsOf(apl) {
    const [head = ''] = apl.split('|');
    return [...head.matchAll(/\[\s*(['"])([A-Za-z0-9-]+)\1\s*\]/g)].map(([, , name = '']) => name);
}
/** So many buckets are in the window after the event, where nobody says how long they are. */
const BUCKETS = 10;
/** So many queries are asked where nobody gives them: a dataset has three. */
const run_comparison_QUERIES_MAX = 9;
/** Those that were given, or what the fields of the annotation's datasets say. */
async function chooseQueries({ datasets }, { queries, windows }, { listFields, begin, tell }) {
    if (queries.length > 0)
        return queries;
    const bucketMinutes = Math.max(1, Math.round(windows.windowMs / BUCKETS / UNIT_MS.m));
    const chosen = [];
    for (const dataset of datasets) {
        begin(`read the fields of the dataset ${text_quote(dataset)}`);
        chosen.push(...defaultQueries(dataset, await listFields(dataset), `${bucketMinutes}m`));
    }
    const taken = chosen.slice(0, run_comparison_QUERIES_MAX);
    for (const { name, apl } of taken)
        tell(`Looking at ${toLog(name)}: ${toLog(apl.replaceAll('\n', ' '))}`);
    return taken;
}
/** What the looks before the last one may take of the error rate together; the last one has the rest. */
const EARLY_SHARE = 0.1;
/**
 * Looks while the window after the event is still open, because a service that is gone should not wait for ten minutes. Each of these
 * looks takes a part of the error rate, so that many looks do not find by chance what one would not.
 */
async function lookEarly(event, looks, inputs, caller) {
    const early = withShare(inputs, EARLY_SHARE / looks.length);
    for (const lookMs of looks) {
        await caller.sleep(Math.max(0, lookMs - Date.now()));
        const comparison = await compareAround(event, early, { ...caller, notice: () => { } });
        if (comparison.verdict !== 'gone' && comparison.verdict !== 'worse')
            continue;
        caller.notice('Found before the window after the event was over.');
        return comparison;
    }
    return undefined;
}
/** @returns the inputs with this share of the error rate */
function withShare(inputs, share) {
    return { ...inputs, judge: { ...inputs.judge, errorRate: inputs.judge.errorRate * share } };
}
async function waitFor(event, { windows, waitMs }, { tell, sleep }) {
    const waiting = waitBefore(event, windows, waitMs, Date.now());
    if (waiting <= 0)
        return;
    const until = new Date(Date.now() + waiting).toISOString();
    tell(`Waiting ${formatDuration(waiting)}, until ${until}, for the window after the event to be over`);
    await sleep(waiting);
}
async function compareAround(event, inputs, caller) {
    const { query, listFields, notice, begin, door } = caller;
    const { queries, baselines, windows, direction, judge } = inputs;
    const around = windowsAround(event, windows, Date.now());
    const passedMs = around.after.endMs - around.after.startMs;
    if (passedMs < windows.windowMs) {
        const passed = `${formatDuration(passedMs)} of the ${formatDuration(windows.windowMs)}`;
        notice(`Only ${passed} after the event are over; ${door.mention('wait')} says how long to wait for them.`);
    }
    const ask = ({ name, apl }, range) => {
        begin(`ask the query ${text_quote(name)}`);
        return query(apl, range);
    };
    const marks = await run_comparison_readMarks(event, { startMs: around.before.startMs, endMs: around.after.endMs }, caller);
    const readFields = async ({ apl }) => {
        const [dataset] = run_comparison_datasetsOf(apl);
        return dataset === undefined ? [] : listFields(dataset);
    };
    return compare(ask, queries, { windows: around, direction, event: event.title, marks, baselines, readFields, ...judge });
}
/** A mark of the same moment is the one that the time was taken from. */
const SAME_MS = 1_000;
/** The other marks of these times. What may not, or cannot, be read takes nothing away from the comparison. */
async function run_comparison_readMarks(event, span, { listAnnotations, notice, begin }) {
    if (event.datasets.length === 0)
        return [];
    const { startTime, endTime } = formatSpan(span);
    begin('list the annotations');
    try {
        const marks = await listAnnotations({ start: startTime, end: endTime, datasets: event.datasets });
        return marks.flatMap(({ id, type, title, time, endTime: end }) => {
            const startMs = Date.parse(time);
            if (id === event.id || (event.id === undefined && Math.abs(startMs - event.startMs) <= SAME_MS))
                return [];
            return [{ name: title ?? type, startMs, endMs: end === undefined ? startMs : Date.parse(end) }];
        });
    }
    catch (error) {
        if (!(error instanceof ClientError))
            throw error;
        notice(`Whether other deployments were near could not be looked up: ${toLog(error.message)}`);
        return [];
    }
}

// EXTERNAL MODULE: external "os"
var external_os_ = __nccwpck_require__(857);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
//# sourceMappingURL=utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_.EOL);
}
function issue(name, message = '') {
    issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
//# sourceMappingURL=command.js.map
;// CONCATENATED MODULE: external "./random.js"
var x = (y) => {
	var x = {}; __nccwpck_require__.d(x, y); return x
} 
var y = (x) => (() => (x))
const external_random_js_namespaceObject = x({ ["randomUUID"]: () => (__WEBPACK_EXTERNAL_MODULE__random_js_27c68dc0__.randomUUID) });
// EXTERNAL MODULE: external "fs"
var external_fs_ = __nccwpck_require__(896);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/file-command.js
// For internal use, subject to change.
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */




function issueFileCommand(command, message) {
    const filePath = process.env[`GITHUB_${command}`];
    if (!filePath) {
        throw new Error(`Unable to find environment variable for file command ${command}`);
    }
    if (!external_fs_.existsSync(filePath)) {
        throw new Error(`Missing file at path: ${filePath}`);
    }
    external_fs_.appendFileSync(filePath, `${toCommandValue(message)}${external_os_.EOL}`, {
        encoding: 'utf8'
    });
}
function prepareKeyValueMessage(key, value) {
    const delimiter = `ghadelimiter_${external_random_js_namespaceObject.randomUUID()}`;
    const convertedValue = toCommandValue(value);
    // These should realistically never happen, but just in case someone finds a
    // way to exploit uuid generation let's not allow keys or values that contain
    // the delimiter.
    if (key.includes(delimiter)) {
        throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
    }
    if (convertedValue.includes(delimiter)) {
        throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
    }
    return `${key}<<${delimiter}${external_os_.EOL}${convertedValue}${external_os_.EOL}${delimiter}`;
}
//# sourceMappingURL=file-command.js.map
;// CONCATENATED MODULE: external "path"
const external_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("path");
;// CONCATENATED MODULE: external "node:os"
var external_node_os_x = (y) => {
	var x = {}; __nccwpck_require__.d(x, y); return x
} 
var external_node_os_y = (x) => (() => (x))
const external_node_os_namespaceObject = external_node_os_x({ ["BearerCredentialHandler"]: () => (__WEBPACK_EXTERNAL_MODULE_node_os_e12349cb__.BearerCredentialHandler), ["HttpClient"]: () => (__WEBPACK_EXTERNAL_MODULE_node_os_e12349cb__.HttpClient), ["getExecOutput"]: () => (__WEBPACK_EXTERNAL_MODULE_node_os_e12349cb__.getExecOutput) });
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/oidc-utils.js
var __awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};



class OidcClient {
    static createHttpClient(allowRetry = true, maxRetry = 10) {
        const requestOptions = {
            allowRetries: allowRetry,
            maxRetries: maxRetry
        };
        return new external_node_os_namespaceObject.HttpClient('actions/oidc-client', [new external_node_os_namespaceObject.BearerCredentialHandler(OidcClient.getRequestToken())], requestOptions);
    }
    static getRequestToken() {
        const token = process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
        if (!token) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_TOKEN env variable');
        }
        return token;
    }
    static getIDTokenUrl() {
        const runtimeUrl = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
        if (!runtimeUrl) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable');
        }
        return runtimeUrl;
    }
    static getCall(id_token_url) {
        return __awaiter(this, void 0, void 0, function* () {
            var _a;
            const httpclient = OidcClient.createHttpClient();
            const res = yield httpclient
                .getJson(id_token_url)
                .catch(error => {
                throw new Error(`Failed to get ID Token. \n 
        Error Code : ${error.statusCode}\n 
        Error Message: ${error.message}`);
            });
            const id_token = (_a = res.result) === null || _a === void 0 ? void 0 : _a.value;
            if (!id_token) {
                throw new Error('Response json body do not have ID Token field');
            }
            return id_token;
        });
    }
    static getIDToken(audience) {
        return __awaiter(this, void 0, void 0, function* () {
            try {
                // New ID Token is requested from action service
                let id_token_url = OidcClient.getIDTokenUrl();
                if (audience) {
                    const encodedAudience = encodeURIComponent(audience);
                    id_token_url = `${id_token_url}&audience=${encodedAudience}`;
                }
                debug(`ID token url is ${id_token_url}`);
                const id_token = yield OidcClient.getCall(id_token_url);
                setSecret(id_token);
                return id_token;
            }
            catch (error) {
                throw new Error(`Error message: ${error.message}`);
            }
        });
    }
}
//# sourceMappingURL=oidc-utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/summary.js
var summary_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const { access, appendFile, writeFile } = external_fs_.promises;
const SUMMARY_ENV_VAR = 'GITHUB_STEP_SUMMARY';
const SUMMARY_DOCS_URL = 'https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-job-summary';
class Summary {
    constructor() {
        this._buffer = '';
    }
    /**
     * Finds the summary file path from the environment, rejects if env var is not found or file does not exist
     * Also checks r/w permissions.
     *
     * @returns step summary file path
     */
    filePath() {
        return summary_awaiter(this, void 0, void 0, function* () {
            if (this._filePath) {
                return this._filePath;
            }
            const pathFromEnv = process.env[SUMMARY_ENV_VAR];
            if (!pathFromEnv) {
                throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
            }
            try {
                yield access(pathFromEnv, external_fs_.constants.R_OK | external_fs_.constants.W_OK);
            }
            catch (_a) {
                throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
            }
            this._filePath = pathFromEnv;
            return this._filePath;
        });
    }
    /**
     * Wraps content in an HTML tag, adding any HTML attributes
     *
     * @param {string} tag HTML tag to wrap
     * @param {string | null} content content within the tag
     * @param {[attribute: string]: string} attrs key-value list of HTML attributes to add
     *
     * @returns {string} content wrapped in HTML element
     */
    wrap(tag, content, attrs = {}) {
        const htmlAttrs = Object.entries(attrs)
            .map(([key, value]) => ` ${key}="${value}"`)
            .join('');
        if (!content) {
            return `<${tag}${htmlAttrs}>`;
        }
        return `<${tag}${htmlAttrs}>${content}</${tag}>`;
    }
    /**
     * Writes text in the buffer to the summary buffer file and empties buffer. Will append by default.
     *
     * @param {SummaryWriteOptions} [options] (optional) options for write operation
     *
     * @returns {Promise<Summary>} summary instance
     */
    write(options) {
        return summary_awaiter(this, void 0, void 0, function* () {
            const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
            const filePath = yield this.filePath();
            const writeFunc = overwrite ? writeFile : appendFile;
            yield writeFunc(filePath, this._buffer, { encoding: 'utf8' });
            return this.emptyBuffer();
        });
    }
    /**
     * Clears the summary buffer and wipes the summary file
     *
     * @returns {Summary} summary instance
     */
    clear() {
        return summary_awaiter(this, void 0, void 0, function* () {
            return this.emptyBuffer().write({ overwrite: true });
        });
    }
    /**
     * Returns the current summary buffer as a string
     *
     * @returns {string} string of summary buffer
     */
    stringify() {
        return this._buffer;
    }
    /**
     * If the summary buffer is empty
     *
     * @returns {boolen} true if the buffer is empty
     */
    isEmptyBuffer() {
        return this._buffer.length === 0;
    }
    /**
     * Resets the summary buffer without writing to summary file
     *
     * @returns {Summary} summary instance
     */
    emptyBuffer() {
        this._buffer = '';
        return this;
    }
    /**
     * Adds raw text to the summary buffer
     *
     * @param {string} text content to add
     * @param {boolean} [addEOL=false] (optional) append an EOL to the raw text (default: false)
     *
     * @returns {Summary} summary instance
     */
    addRaw(text, addEOL = false) {
        this._buffer += text;
        return addEOL ? this.addEOL() : this;
    }
    /**
     * Adds the operating system-specific end-of-line marker to the buffer
     *
     * @returns {Summary} summary instance
     */
    addEOL() {
        return this.addRaw(external_os_.EOL);
    }
    /**
     * Adds an HTML codeblock to the summary buffer
     *
     * @param {string} code content to render within fenced code block
     * @param {string} lang (optional) language to syntax highlight code
     *
     * @returns {Summary} summary instance
     */
    addCodeBlock(code, lang) {
        const attrs = Object.assign({}, (lang && { lang }));
        const element = this.wrap('pre', this.wrap('code', code), attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML list to the summary buffer
     *
     * @param {string[]} items list of items to render
     * @param {boolean} [ordered=false] (optional) if the rendered list should be ordered or not (default: false)
     *
     * @returns {Summary} summary instance
     */
    addList(items, ordered = false) {
        const tag = ordered ? 'ol' : 'ul';
        const listItems = items.map(item => this.wrap('li', item)).join('');
        const element = this.wrap(tag, listItems);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML table to the summary buffer
     *
     * @param {SummaryTableCell[]} rows table rows
     *
     * @returns {Summary} summary instance
     */
    addTable(rows) {
        const tableBody = rows
            .map(row => {
            const cells = row
                .map(cell => {
                if (typeof cell === 'string') {
                    return this.wrap('td', cell);
                }
                const { header, data, colspan, rowspan } = cell;
                const tag = header ? 'th' : 'td';
                const attrs = Object.assign(Object.assign({}, (colspan && { colspan })), (rowspan && { rowspan }));
                return this.wrap(tag, data, attrs);
            })
                .join('');
            return this.wrap('tr', cells);
        })
            .join('');
        const element = this.wrap('table', tableBody);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds a collapsable HTML details element to the summary buffer
     *
     * @param {string} label text for the closed state
     * @param {string} content collapsable content
     *
     * @returns {Summary} summary instance
     */
    addDetails(label, content) {
        const element = this.wrap('details', this.wrap('summary', label) + content);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML image tag to the summary buffer
     *
     * @param {string} src path to the image you to embed
     * @param {string} alt text description of the image
     * @param {SummaryImageOptions} options (optional) addition image attributes
     *
     * @returns {Summary} summary instance
     */
    addImage(src, alt, options) {
        const { width, height } = options || {};
        const attrs = Object.assign(Object.assign({}, (width && { width })), (height && { height }));
        const element = this.wrap('img', null, Object.assign({ src, alt }, attrs));
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML section heading element
     *
     * @param {string} text heading text
     * @param {number | string} [level=1] (optional) the heading level, default: 1
     *
     * @returns {Summary} summary instance
     */
    addHeading(text, level) {
        const tag = `h${level}`;
        const allowedTag = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].includes(tag)
            ? tag
            : 'h1';
        const element = this.wrap(allowedTag, text);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML thematic break (<hr>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addSeparator() {
        const element = this.wrap('hr', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML line break (<br>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addBreak() {
        const element = this.wrap('br', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML blockquote to the summary buffer
     *
     * @param {string} text quote text
     * @param {string} cite (optional) citation url
     *
     * @returns {Summary} summary instance
     */
    addQuote(text, cite) {
        const attrs = Object.assign({}, (cite && { cite }));
        const element = this.wrap('blockquote', text, attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML anchor tag to the summary buffer
     *
     * @param {string} text link text/content
     * @param {string} href hyperlink
     *
     * @returns {Summary} summary instance
     */
    addLink(text, href) {
        const element = this.wrap('a', text, { href });
        return this.addRaw(element).addEOL();
    }
}
const _summary = new Summary();
/**
 * @deprecated use `core.summary`
 */
const markdownSummary = _summary;
const summary = _summary;
//# sourceMappingURL=summary.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/path-utils.js

/**
 * toPosixPath converts the given path to the posix form. On Windows, \\ will be
 * replaced with /.
 *
 * @param pth. Path to transform.
 * @return string Posix path.
 */
function toPosixPath(pth) {
    return pth.replace(/[\\]/g, '/');
}
/**
 * toWin32Path converts the given path to the win32 form. On Linux, / will be
 * replaced with \\.
 *
 * @param pth. Path to transform.
 * @return string Win32 path.
 */
function toWin32Path(pth) {
    return pth.replace(/[/]/g, '\\');
}
/**
 * toPlatformPath converts the given path to a platform-specific path. It does
 * this by replacing instances of / and \ with the platform-specific path
 * separator.
 *
 * @param pth The path to platformize.
 * @return string The platform-specific path.
 */
function toPlatformPath(pth) {
    return pth.replace(/[/\\]/g, external_path_namespaceObject.sep);
}
//# sourceMappingURL=path-utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/platform.js
var platform_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const getWindowsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout: version } = yield external_node_os_namespaceObject.getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Version"', undefined, {
        silent: true
    });
    const { stdout: name } = yield external_node_os_namespaceObject.getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Caption"', undefined, {
        silent: true
    });
    return {
        name: name.trim(),
        version: version.trim()
    };
});
const getMacOsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    var _a, _b, _c, _d;
    const { stdout } = yield external_node_os_namespaceObject.getExecOutput('sw_vers', undefined, {
        silent: true
    });
    const version = (_b = (_a = stdout.match(/ProductVersion:\s*(.+)/)) === null || _a === void 0 ? void 0 : _a[1]) !== null && _b !== void 0 ? _b : '';
    const name = (_d = (_c = stdout.match(/ProductName:\s*(.+)/)) === null || _c === void 0 ? void 0 : _c[1]) !== null && _d !== void 0 ? _d : '';
    return {
        name,
        version
    };
});
const getLinuxInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout } = yield external_node_os_namespaceObject.getExecOutput('lsb_release', ['-i', '-r', '-s'], {
        silent: true
    });
    const [name, version] = stdout.trim().split('\n');
    return {
        name,
        version
    };
});
const platform = external_os_.platform();
const arch = external_os_.arch();
const isWindows = platform === 'win32';
const isMacOS = platform === 'darwin';
const isLinux = platform === 'linux';
function getDetails() {
    return platform_awaiter(this, void 0, void 0, function* () {
        return Object.assign(Object.assign({}, (yield (isWindows
            ? getWindowsInfo()
            : isMacOS
                ? getMacOsInfo()
                : getLinuxInfo()))), { platform,
            arch,
            isWindows,
            isMacOS,
            isLinux });
    });
}
//# sourceMappingURL=platform.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/core.js
var core_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};






/**
 * The code to exit an action
 */
var ExitCode;
(function (ExitCode) {
    /**
     * A code indicating that the action was successful
     */
    ExitCode[ExitCode["Success"] = 0] = "Success";
    /**
     * A code indicating that the action was a failure
     */
    ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
//-----------------------------------------------------------------------
// Variables
//-----------------------------------------------------------------------
/**
 * Sets env variable for this action and future actions in the job
 * @param name the name of the variable to set
 * @param val the value of the variable. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function exportVariable(name, val) {
    const convertedVal = toCommandValue(val);
    process.env[name] = convertedVal;
    const filePath = process.env['GITHUB_ENV'] || '';
    if (filePath) {
        return issueFileCommand('ENV', prepareKeyValueMessage(name, val));
    }
    issueCommand('set-env', { name }, convertedVal);
}
/**
 * Registers a secret which will get masked from logs
 *
 * @param secret - Value of the secret to be masked
 * @remarks
 * This function instructs the Actions runner to mask the specified value in any
 * logs produced during the workflow run. Once registered, the secret value will
 * be replaced with asterisks (***) whenever it appears in console output, logs,
 * or error messages.
 *
 * This is useful for protecting sensitive information such as:
 * - API keys
 * - Access tokens
 * - Authentication credentials
 * - URL parameters containing signatures (SAS tokens)
 *
 * Note that masking only affects future logs; any previous appearances of the
 * secret in logs before calling this function will remain unmasked.
 *
 * @example
 * ```typescript
 * // Register an API token as a secret
 * const apiToken = "abc123xyz456";
 * setSecret(apiToken);
 *
 * // Now any logs containing this value will show *** instead
 * console.log(`Using token: ${apiToken}`); // Outputs: "Using token: ***"
 * ```
 */
function setSecret(secret) {
    issueCommand('add-mask', {}, secret);
}
/**
 * Prepends inputPath to the PATH (for this action and future actions)
 * @param inputPath
 */
function addPath(inputPath) {
    const filePath = process.env['GITHUB_PATH'] || '';
    if (filePath) {
        issueFileCommand('PATH', inputPath);
    }
    else {
        issueCommand('add-path', {}, inputPath);
    }
    process.env['PATH'] = `${inputPath}${external_path_namespaceObject.delimiter}${process.env['PATH']}`;
}
/**
 * Gets the value of an input.
 * Unless trimWhitespace is set to false in InputOptions, the value is also trimmed.
 * Returns an empty string if the value is not defined.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string
 */
function getInput(name, options) {
    const val = process.env[`INPUT_${name.replace(/ /g, '_').toUpperCase()}`] || '';
    if (options && options.required && !val) {
        throw new Error(`Input required and not supplied: ${name}`);
    }
    if (options && options.trimWhitespace === false) {
        return val;
    }
    return val.trim();
}
/**
 * Gets the values of an multiline input.  Each value is also trimmed.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string[]
 *
 */
function getMultilineInput(name, options) {
    const inputs = getInput(name, options)
        .split('\n')
        .filter(x => x !== '');
    if (options && options.trimWhitespace === false) {
        return inputs;
    }
    return inputs.map(input => input.trim());
}
/**
 * Gets the input value of the boolean type in the YAML 1.2 "core schema" specification.
 * Support boolean input list: `true | True | TRUE | false | False | FALSE` .
 * The return value is also in boolean type.
 * ref: https://yaml.org/spec/1.2/spec.html#id2804923
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   boolean
 */
function getBooleanInput(name, options) {
    const trueValue = ['true', 'True', 'TRUE'];
    const falseValue = ['false', 'False', 'FALSE'];
    const val = getInput(name, options);
    if (trueValue.includes(val))
        return true;
    if (falseValue.includes(val))
        return false;
    throw new TypeError(`Input does not meet YAML 1.2 "Core Schema" specification: ${name}\n` +
        `Support boolean input list: \`true | True | TRUE | false | False | FALSE\``);
}
/**
 * Sets the value of an output.
 *
 * @param     name     name of the output to set
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function setOutput(name, value) {
    const filePath = process.env['GITHUB_OUTPUT'] || '';
    if (filePath) {
        return issueFileCommand('OUTPUT', prepareKeyValueMessage(name, value));
    }
    process.stdout.write(external_os_.EOL);
    issueCommand('set-output', { name }, toCommandValue(value));
}
/**
 * Enables or disables the echoing of commands into stdout for the rest of the step.
 * Echoing is disabled by default if ACTIONS_STEP_DEBUG is not set.
 *
 */
function setCommandEcho(enabled) {
    issue('echo', enabled ? 'on' : 'off');
}
//-----------------------------------------------------------------------
// Results
//-----------------------------------------------------------------------
/**
 * Sets the action status to failed.
 * When the action exits it will be with an exit code of 1
 * @param message add error issue message
 */
function setFailed(message) {
    process.exitCode = ExitCode.Failure;
    error(message);
}
//-----------------------------------------------------------------------
// Logging Commands
//-----------------------------------------------------------------------
/**
 * Gets whether Actions Step Debug is on or not
 */
function isDebug() {
    return process.env['RUNNER_DEBUG'] === '1';
}
/**
 * Writes debug message to user log
 * @param message debug message
 */
function debug(message) {
    issueCommand('debug', {}, message);
}
/**
 * Adds an error issue
 * @param message error issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function error(message, properties = {}) {
    issueCommand('error', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a warning issue
 * @param message warning issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function warning(message, properties = {}) {
    issueCommand('warning', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a notice issue
 * @param message notice issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function notice(message, properties = {}) {
    issueCommand('notice', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Writes info to log with console.log.
 * @param message info message
 */
function info(message) {
    process.stdout.write(message + external_os_.EOL);
}
/**
 * Begin an output group.
 *
 * Output until the next `groupEnd` will be foldable in this group
 *
 * @param name The name of the output group
 */
function startGroup(name) {
    issue('group', name);
}
/**
 * End an output group.
 */
function endGroup() {
    issue('endgroup');
}
/**
 * Wrap an asynchronous function call in a group.
 *
 * Returns the same type as the function itself.
 *
 * @param name The name of the group
 * @param fn The function to wrap in the group
 */
function group(name, fn) {
    return core_awaiter(this, void 0, void 0, function* () {
        startGroup(name);
        let result;
        try {
            result = yield fn();
        }
        finally {
            endGroup();
        }
        return result;
    });
}
//-----------------------------------------------------------------------
// Wrapper action state
//-----------------------------------------------------------------------
/**
 * Saves state for current action, the state can only be retrieved by this action's post job execution.
 *
 * @param     name     name of the state to store
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function saveState(name, value) {
    const filePath = process.env['GITHUB_STATE'] || '';
    if (filePath) {
        return issueFileCommand('STATE', prepareKeyValueMessage(name, value));
    }
    issueCommand('save-state', { name }, toCommandValue(value));
}
/**
 * Gets the value of an state set by this action's main execution.
 *
 * @param     name     name of the state to get
 * @returns   string
 */
function getState(name) {
    return process.env[`STATE_${name}`] || '';
}
function getIDToken(aud) {
    return core_awaiter(this, void 0, void 0, function* () {
        return yield OidcClient.getIDToken(aud);
    });
}
/**
 * Summary exports
 */

/**
 * @deprecated use core.summary
 */

/**
 * Path exports
 */

/**
 * Platform utilities exports
 */

//# sourceMappingURL=core.js.map
;// CONCATENATED MODULE: ./lib/action/toolkit.js
/**
 * The toolkit, named once: `@actions/core` for inputs, outputs, state, log and summary, and the workflow context of
 * `@actions/github`. Of that package the bundler takes the context alone, because the step never uses the API client that
 * its entry point builds (docs/decisions/0001-what-the-step-loads.md).
 */

/** The workflow context without its event: importing it would read that file, which may be large, or no JSON at all. */
async function readContext() {
    delete process.env.GITHUB_EVENT_PATH;
    const { context } = await Promise.resolve(/* import() eager */).then(__nccwpck_require__.bind(__nccwpck_require__, 460));
    return context;
}
/** Whoever reads the log may have gone: what cannot be written to it must not end what is under way. */
function outliveLog() {
    process.stdout.on('error', () => undefined);
}

;// CONCATENATED MODULE: ./lib/action/read-texts.js
/**
 * Reads inputs that the runner has put into the environment.
 */

/**
 * The token is masked before anything else is done with it, and kept as it is: spaces around it are an error to report.
 * @param otherToken another name that the token may be given by
 * @returns what was given for each input, or else its default
 */
function readTexts(defaults, otherToken) {
    const options = { trimWhitespace: false };
    const token = getInput('token', options) || (otherToken === undefined ? '' : getInput(otherToken, options));
    for (const secret of new Set([token, token.trim()]))
        if (secret.trim() !== '')
            setSecret(secret);
    const texts = Object.keys(defaults).map((name) => [name, getInput(name) || defaults[name]]);
    return { ...Object.fromEntries(texts), token };
}

;// CONCATENATED MODULE: ./lib/action/step-door.js
/** What messages of the step call an input. */
const STEP = { subject: (input) => `input "${input}"`, mention: (input) => `"${input}"`, program: 'step' };
/** What to do where there is no token. */
const NO_TOKEN = 'pass a secret of the repository or environment, for example secrets.AXIOM_TOKEN. Secrets are absent in workflows that run for a ' +
    'fork and in Dependabot runs, and a reusable workflow gets them only where its caller passes them (`secrets: inherit`)';

;// CONCATENATED MODULE: ./packages/client/lib/node-transport.js

/** @param origin scheme, host and port that every request goes to */
function createNodeTransport(origin) {
    // The one that is needed, when it is needed: an import would read every export of both, the slow ones included.
    const http = process.getBuiltinModule(origin.protocol === 'https:' ? 'node:https' : 'node:http');
    // Nearly always the one request is the last: to keep its connection takes longer than to close it.
    const agent = new http.Agent({ keepAlive: false });
    return {
        send: (request) => {
            const { method, url, headers } = request;
            return new Exchange(request).run(http.request(url, { method, headers, agent }));
        },
        async close() {
            agent.destroy();
        },
    };
}
/** One request on its way, and what has come back of its reply so far. */
class Exchange {
    #request;
    #body;
    #isSent = false;
    constructor(request) {
        this.#request = request;
        this.#body = new ReplyBody(request);
    }
    async run(outgoing) {
        const { body, signal } = this.#request;
        const abort = () => outgoing.destroy(toError(signal.reason));
        signal.addEventListener('abort', abort);
        try {
            return await new Promise((resolve, reject) => {
                outgoing.on('error', reject);
                outgoing.on('socket', (socket) => this.#watch(socket, outgoing));
                outgoing.on('response', (incoming) => this.#read(incoming).then(resolve, reject));
                if (signal.aborted)
                    abort();
                outgoing.end(body);
            });
        }
        catch (cause) {
            outgoing.destroy();
            throw new WireError(this.#isSent, signal.aborted ? signal.reason : cause);
        }
        finally {
            signal.removeEventListener('abort', abort);
        }
    }
    /** What is written to a connection that is still being made goes out once it is there. */
    #watch(socket, outgoing) {
        if (!socket.connecting) {
            this.#isSent = true;
            return;
        }
        const giveUp = setTimeout(() => outgoing.destroy(new ConnectTimeout(this.#request.url)), CONNECT_TIMEOUT_MS);
        socket.once('close', () => clearTimeout(giveUp));
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
            clearTimeout(giveUp);
            this.#isSent = true;
        });
    }
    async #read(incoming) {
        for await (const chunk of incoming)
            this.#body.add(chunk);
        return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: this.#body.toBuffer() };
    }
}
/** In the words that undici has for it. */
class ConnectTimeout extends Error {
    code = 'UND_ERR_CONNECT_TIMEOUT';
    constructor({ host }) {
        super(`Connect Timeout Error (attempted address: ${host}, timeout: ${CONNECT_TIMEOUT_MS}ms)`);
    }
}
const toError = (reason) => (reason instanceof Error ? reason : new Error(String(reason)));

;// CONCATENATED MODULE: ./packages/client/lib/light-transport.js
/**
 * The exchange for a process that asks once: over Node's own HTTP client, or over undici where a variable names a proxy. How
 * undici is loaded is left to the program, whose bundle it would otherwise be a part of that is read at each start.
 */


/**
 * @param origin scheme, host and port that every request goes to
 * @param load loads `undici-transport.ts`; called only where there is a proxy
 */
function createLightTransport(origin, load) {
    if (readProxyVariable(origin, process.env) === undefined)
        return createNodeTransport(origin);
    const loading = load().then((proxy) => proxy.createUndiciTransport(origin));
    return {
        send: async (request) => (await loading).send(request),
        close: async () => (await loading).close(),
    };
}

;// CONCATENATED MODULE: ./lib/action/step-transport.js
/**
 * How the steps reach the service.
 */

function createStepTransport(origin) {
    return createLightTransport(origin, () => import('./proxy.js' /* webpackIgnore: true */));
}

;// CONCATENATED MODULE: ./packages/inputs/lib/service.js
/**
 * The inputs that say where the service is, who asks, and for how long.
 */



/** @throws InputError */
function parseService(raw, { needsToken = true, noToken }) {
    return parseAll({
        token: () => (needsToken ? parseToken(raw.token, noToken) : raw.token),
        allowHttp: () => parseBoolean('allowHttp', raw.allowHttp),
        baseUrl: () => parseBaseUrl(raw.baseUrl, raw.allowHttp.toLowerCase() === 'true'),
        timeoutMs: () => parseTimeout(raw.timeoutSeconds),
    });
}

;// CONCATENATED MODULE: ./lib/comparison/compare-inputs.js
/**
 * The inputs of the step `compare`: names and defaults as in compare/action.yml (a test compares the two). Their rules are those of
 * the command too (packages/inputs).
 */






/** Every input and its default; '' means that there is none. */
const COMPARE_INPUT_DEFAULTS = {
    token: '',
    ...COMPARISON_DEFAULTS,
    baseUrl: DEFAULT_BASE_URL,
    allowHttp: 'false',
    onOutage: '',
    timeoutSeconds: '60',
    summary: 'true',
};
/** @throws InputError with every problem found */
function parseCompareInputs(raw) {
    return parseAll({
        comparison: () => parseComparison(raw),
        service: () => parseService(raw, { noToken: NO_TOKEN }),
        onOutage: () => parseGateOutage(raw),
        summary: () => parseBoolean('summary', raw.summary),
    });
}

;// CONCATENATED MODULE: ./packages/compare/lib/sparkline.js
/**
 * A small chart of characters: before, a stroke for the event, after. It shows in a job summary, a terminal and a log alike, where
 * an image of our own would not: a summary drops inline SVG, and a diagram in Mermaid needs a frame for each and shows nowhere else.
 */
const BLOCKS = '▁▂▃▄▅▆▇█';
const sparkline_EMPTY = '·';
const CELLS_MAX = 24;
/** @returns the chart on a scale from 0, both sides with as many buckets in a character; '' for one bucket */
function drawSparkline({ before, after, }) {
    if (before.length < 2)
        return '';
    const each = Math.max(1, Math.ceil(before.length / CELLS_MAX));
    const sides = [before, after].map((values) => chunk(values, each));
    const present = sides.flat().filter((value) => value !== null);
    const low = Math.min(0, ...present);
    const height = Math.max(0, ...present) - low;
    const cell = (value) => {
        if (value === null)
            return sparkline_EMPTY;
        const level = height === 0 ? 0 : Math.round(((value - low) / height) * (BLOCKS.length - 1));
        return BLOCKS[level] ?? sparkline_EMPTY;
    };
    return sides.map((values) => values.map(cell).join('')).join('│');
}
/** Means of so many neighbours each. */
function chunk(values, each) {
    return Array.from({ length: Math.ceil(values.length / each) }, (_, at) => {
        const present = values.slice(at * each, (at + 1) * each).filter((value) => value !== null);
        return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
    });
}

;// CONCATENATED MODULE: ./packages/compare/lib/words.js
/** @returns `1.02 %`, `3.2/min`, `412`; `–` where there is none */
function formatValue(value, { kind }) {
    if (!Number.isFinite(value))
        return '–';
    if (kind === 'share')
        return `${formatNumber(value * 100)} %`;
    return kind === 'count' ? `${formatNumber(value)}/min` : formatNumber(value);
}
/** @returns `+44 %`, `−38 %`; from a doubling on `×2.1`, because people read that faster than `+110 %` */
function formatChange(change) {
    if (Number.isNaN(change))
        return '–';
    if (change === Number.POSITIVE_INFINITY)
        return 'from none';
    if (change >= 1)
        return `×${formatNumber(change + 1)}`;
    const percent = Math.abs(change * 100).toFixed(0);
    return percent === '0' ? '0 %' : `${change < 0 ? '−' : '+'}${percent} %`;
}
/** Changes beyond this are as good as any. */
const CHANGE_MAX = 100;
/** @returns the change with the ends of its interval */
function describeChange({ change, low, high, ofTheRest }) {
    if (Number.isNaN(change))
        return '–';
    const end = high > CHANGE_MAX ? 'or more' : `to ${formatChange(high)}`;
    const interval = Number.isNaN(low) ? '' : ` (${formatChange(low)} ${end})`;
    return `${ofTheRest ? 'the rest ' : ''}${formatChange(change)}${interval}`;
}
/** @returns `once in 2,300 times`: how often nothing but chance would do it */
function formatChance(chance) {
    if (chance < 1 / 10_000)
        return 'less than once in 10,000 times';
    return `once in ${Math.round(Number((1 / chance).toPrecision(2))).toLocaleString('en')} times`;
}
/** Where something else was to be expected than what was there before, it is said. */
const EXPECTED_DIFFERS = 0.05;
/** @returns `1.02 % → 2.1 %`, and what was to be expected where the time before, or other days, say something else */
function describeFigures(series) {
    const { before, after, expected } = series;
    const differs = Number.isFinite(expected) && Math.abs(expected - before) > EXPECTED_DIFFERS * Math.abs(before);
    const rather = differs && before !== 0 ? `, ${formatValue(expected, series)} expected` : '';
    return `${formatValue(before, series)} → ${series.verdict === 'gone' ? 'nothing' : formatValue(after, series)}${rather}`;
}
/** @returns `×2.1 (+44 % to ×2.9), by chance once in 2,300 times`; chance is named of a change only */
function describeSureChange(series) {
    return [describeChange(series), howLikely(series)].filter((part) => part !== '').join(', ');
}
/** @returns how often chance alone would do it, why nothing can be told, or '' */
function howLikely({ verdict, lack, chance }) {
    if (lack !== undefined)
        return lack;
    return chance === undefined || verdict === 'same' || verdict === 'gone' ? '' : `by chance ${formatChance(chance)}`;
}
function describeSeries(series) {
    const change = series.verdict === 'gone' ? '' : `, ${describeSureChange(series)}`;
    return `${series.name} ${describeFigures(series)}${change}${describeCarriers(series)}`;
}
/** @returns `, carried by version 2.15.0 (0.00/min → 5.78/min)`, or '' */
function describeCarriers({ carriers }) {
    if (carriers.length === 0)
        return '';
    const rate = (value) => formatValue(value, { kind: 'count' });
    const values = carriers.map(({ field, value, before, after }) => `${field} ${value} (${rate(before)} → ${rate(after)})`);
    return `, carried by ${values.join(' and ')}`;
}
/** What each verdict is in a sentence, and as a heading. */
const VERDICT_WORDS = {
    gone: 'gone',
    worse: 'worse',
    lower: 'lower',
    higher: 'higher',
    better: 'better',
    'too-little-data': 'cannot tell',
    same: 'the same',
};
/** The comparison in one sentence or two: the gravest first. */
function describeComparison(comparison) {
    const { series } = comparison;
    if (series.length === 0)
        return 'There was nothing to compare.';
    const of = (...verdicts) => series.filter(({ verdict }) => verdicts.includes(verdict));
    const changed = of('gone', 'worse', 'lower', 'higher', 'better');
    const [unknown, same] = [of('too-little-data'), of('same')];
    const names = (list) => list.map(({ name }) => name).join(', ');
    const sentences = [
        changed.length > 0 && `${changed.map((one) => `${VERDICT_WORDS[one.verdict]}: ${describeSeries(one)}`).join('; ')}`,
        unknown.length > 0 && `cannot tell: ${unknown.map(describeUnknown).join('; ')}`,
        same.length > 0 && `the same: ${names(same)}`,
    ].filter((sentence) => sentence !== false);
    const text = sentences.map((sentence) => `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`).join(' ');
    return `${text}${describeNeighbours(comparison, changed.length > 0)}`;
}
function describeUnknown(series) {
    return `${series.name} ${describeFigures(series)}, ${describeSureChange(series)}`;
}
/** Who else may have done it, and where the windows ended because of others. */
function describeNeighbours({ neighbours, event }, isChanged) {
    const quote = (name) => `“${name}”`;
    const sharing = neighbours.filter(({ isCutOff }) => !isCutOff);
    const cut = neighbours.filter(({ isCutOff }) => isCutOff);
    const others = sharing.map(({ name }) => quote(name)).join(' and ');
    const whose = event === '' ? others : `${quote(event)} and ${others}`;
    const shared = sharing.length === 0 ? '' : isChanged ? ` It is shared by ${whose}.` : ` Within these times there was ${others}, too.`;
    const ended = cut.length === 0 ? '' : ` The times end at ${cut.map(({ name }) => quote(name)).join(' and ')}.`;
    return shared + ended;
}
/** A sign that is seen before the word is read. */
const SIGNS = {
    gone: '⛔',
    worse: '🔴',
    lower: '🔽',
    higher: '🔼',
    better: '🟢',
    'too-little-data': '❔',
    same: '⚪',
};
/** Three significant digits, all before the point, thousands apart. */
function formatNumber(value) {
    const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    if (value !== 0 && Math.abs(value) < 0.01)
        return value.toPrecision(2);
    return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

;// CONCATENATED MODULE: ./packages/compare/lib/report.js


/** @param event what is compared around, as a title; escaped here */
function toMarkdown(comparison, event) {
    const { verdict, series, windows, notes } = comparison;
    const cell = (text) => escapeMarkdown(text);
    const rows = series.map((one) => {
        const chart = drawSparkline(one.chart);
        const cells = [
            `${SIGNS[one.verdict]} ${VERDICT_WORDS[one.verdict]}`,
            cell(one.name),
            ...report_valuesOf(one).map(cell),
            chart === '' ? '' : `\`${chart}\``,
            cell(howLikely(one)),
        ];
        return `| ${cells.join(' | ')} |`;
    });
    const table = [
        '| verdict | what | before | after | change | before │ after | chance, or why not |',
        '|---|---|--:|--:|---|---|---|',
        ...rows,
    ];
    return [
        `### ${SIGNS[verdict]} ${capitalize(VERDICT_WORDS[verdict])}: ${escapeMarkdown(event)}`,
        escapeMarkdown(describeComparison(comparison)),
        ...(series.length === 0 ? [] : [table.join('\n')]),
        `Before: ${timesOf(windows.before)} · after: ${timesOf(windows.after)} · ${describeSeasons(comparison)}`,
        ...notes.map(escapeMarkdown),
        '',
    ].join('\n\n');
}
/** @param clean makes one line of a text that comes from data, harmless where it is shown @returns lines with aligned columns */
function toText(comparison, clean) {
    const rows = comparison.series.map((one) => [
        VERDICT_WORDS[one.verdict],
        clean(one.name),
        ...report_valuesOf(one),
        drawSparkline(one.chart),
        howLikely(one),
    ]);
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
    const pad = (text, width = 0) => text + ' '.repeat(width - [...text].length);
    return [
        ...rows.map((row) => row
            .map((text, column) => pad(text, widths[column]))
            .join('  ')
            .trimEnd()),
        ...comparison.notes.map(clean),
    ];
}
/** @returns JSON; what has no number is null: a rate out of nothing, and an interval without an end */
function toJson(comparison) {
    return JSON.stringify(comparison);
}
function report_valuesOf(series) {
    return [formatValue(series.before, series), formatValue(series.after, series), describeChange(series)];
}
function timesOf({ startTime, endTime }) {
    return `${startTime} to ${endTime}`;
}
/** Which other times had data, so that nobody takes the time of day for the deployment unawares. */
function describeSeasons({ series, windows: { seasons } }) {
    const most = Math.max(0, ...series.map((one) => one.seasons));
    return most === 0
        ? 'not compared with other days'
        : `compared with the same time of ${most === 1 ? 'one other day' : `${most} other days`} (${seasons.map(({ startTime }) => startTime.slice(0, 10)).join(', ')})`;
}
const capitalize = (text) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
/** As one line in which Markdown and HTML see text only. */
function escapeMarkdown(text) {
    return text.replace(/\p{Cc}+/gu, ' ').replace(/[\\`*_[\]<>|#&~!]/g, (character) => `&#${character.charCodeAt(0)};`);
}

;// CONCATENATED MODULE: ./lib/comparison/outcome.js





async function reportComparison(comparison, { event, failOn, summary }) {
    const { verdict } = comparison;
    setOutput('verdict', verdict);
    setOutput('comparison', toJson(comparison));
    for (const line of toText(comparison, toLog))
        info(line);
    if (summary)
        await summarize(toMarkdown(comparison, event));
    const message = toLog(`${event}: ${describeComparison(comparison)}`);
    const failing = comparison.series.filter((one) => isFailing(one.verdict, failOn));
    if (failing.length > 0 || isFailing(verdict, failOn)) {
        const names = failing.map(({ name, verdict: why }) => `${name} is "${why}"`).join(', ') || `the verdict is "${verdict}"`;
        setFailed(`${message} ${toLog(describeWindows(comparison))} The job fails because of "failOn": ${toLog(names)}.`);
    }
    else if (verdict === 'worse' || verdict === 'gone')
        warning(message);
    else
        info(message);
}
/** Where nothing could be asked. */
function reportNothing() {
    setOutput('verdict', '');
    setOutput('comparison', '');
}
/** If the runner has no job summary, or it cannot be written, the step goes on without one. */
async function summarize(markdown) {
    try {
        await summary.addRaw(markdown, true).write();
    }
    catch (error) {
        debug(`no job summary: ${toLog(String(error))}`);
    }
}
function describeWindows({ windows: { before, after } }) {
    return `Compared: ${before.startTime} to ${before.endTime} with ${after.startTime} to ${after.endTime}.`;
}

;// CONCATENATED MODULE: ./lib/comparison/step.js
/**
 * The whole step `compare`: read the inputs, wait for the time after the event to be over, ask, judge, say what came out.
 */














/** Never throws: the exit code is set, and what went wrong is in the log. */
async function step_run() {
    outliveLog();
    let inputs;
    try {
        inputs = parseCompareInputs(readTexts(COMPARE_INPUT_DEFAULTS));
    }
    catch (error) {
        return setFailed(explain(error, 'read the inputs', STEP));
    }
    const { comparison: wanted, service, summary } = inputs;
    let operation = 'read the annotation';
    const connection = openConnection({ ...service, userAgent: `${USER_AGENT} compare` }, createStepTransport);
    const annotations = createAnnotationsClient(connection);
    const queries = createQueryClient(connection);
    try {
        const { comparison, title } = await runComparison(wanted, {
            getAnnotation: (id) => annotations.get(id, callOptions),
            listAnnotations: (filter) => annotations.list(filter, callOptions),
            listFields: (dataset) => createDatasetsClient(connection).fields(dataset, callOptions),
            query: (apl, range) => queries.query(apl, { ...range, ...callOptions }),
            sleep: promises_namespaceObject.setTimeout,
            tell: info,
            notice: notice,
            door: STEP,
            begin: (next) => {
                operation = next;
            },
        });
        await reportComparison(comparison, { event: title, failOn: wanted.failOn, summary });
    }
    catch (error) {
        fail(inputs, error, operation);
    }
    finally {
        await connection.transport.close();
    }
}
const callOptions = { onRetry: (failure, waitMs) => info(explainRetry(failure, waitMs)) };
/** A gate that cannot look does not open. */
const GATE = 'Nothing was compared, so the job fails; "onOutage: warn" lets it go on.';
function fail({ onOutage }, error, operation) {
    const message = explainComparison(error, operation, STEP);
    if (onOutage === 'warn' && isComparisonOutage(error)) {
        warning(`${message} Nothing was compared; the job goes on because "onOutage" is "warn".`);
        reportNothing();
    }
    else {
        setFailed(isComparisonOutage(error) ? `${message} ${GATE}` : message);
    }
}


/***/ }),

/***/ 460:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  context: () => (/* binding */ context)
});

// EXTERNAL MODULE: external "fs"
var external_fs_ = __nccwpck_require__(896);
// EXTERNAL MODULE: external "os"
var external_os_ = __nccwpck_require__(857);
;// CONCATENATED MODULE: ./node_modules/@actions/github/lib/context.js


class Context {
    /**
     * Hydrate the context from the environment
     */
    constructor() {
        var _a, _b, _c;
        this.payload = {};
        if (process.env.GITHUB_EVENT_PATH) {
            if ((0,external_fs_.existsSync)(process.env.GITHUB_EVENT_PATH)) {
                this.payload = JSON.parse((0,external_fs_.readFileSync)(process.env.GITHUB_EVENT_PATH, { encoding: 'utf8' }));
            }
            else {
                const path = process.env.GITHUB_EVENT_PATH;
                process.stdout.write(`GITHUB_EVENT_PATH ${path} does not exist${external_os_.EOL}`);
            }
        }
        this.eventName = process.env.GITHUB_EVENT_NAME;
        this.sha = process.env.GITHUB_SHA;
        this.ref = process.env.GITHUB_REF;
        this.workflow = process.env.GITHUB_WORKFLOW;
        this.action = process.env.GITHUB_ACTION;
        this.actor = process.env.GITHUB_ACTOR;
        this.job = process.env.GITHUB_JOB;
        this.runAttempt = parseInt(process.env.GITHUB_RUN_ATTEMPT, 10);
        this.runNumber = parseInt(process.env.GITHUB_RUN_NUMBER, 10);
        this.runId = parseInt(process.env.GITHUB_RUN_ID, 10);
        this.apiUrl = (_a = process.env.GITHUB_API_URL) !== null && _a !== void 0 ? _a : `https://api.github.com`;
        this.serverUrl = (_b = process.env.GITHUB_SERVER_URL) !== null && _b !== void 0 ? _b : `https://github.com`;
        this.graphqlUrl =
            (_c = process.env.GITHUB_GRAPHQL_URL) !== null && _c !== void 0 ? _c : `https://api.github.com/graphql`;
    }
    get issue() {
        const payload = this.payload;
        return Object.assign(Object.assign({}, this.repo), { number: (payload.issue || payload.pull_request || payload).number });
    }
    get repo() {
        if (process.env.GITHUB_REPOSITORY) {
            const [owner, repo] = process.env.GITHUB_REPOSITORY.split('/');
            return { owner, repo };
        }
        if (this.payload.repository) {
            return {
                owner: this.payload.repository.owner.login,
                repo: this.payload.repository.name
            };
        }
        throw new Error("context.repo requires a GITHUB_REPOSITORY environment variable like 'owner/repo'");
    }
}
//# sourceMappingURL=context.js.map
;// CONCATENATED MODULE: ./lib/node_modules/@actions/github/index.js

const context = new Context()


/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(500);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
