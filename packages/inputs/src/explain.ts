/**
 * Turns whatever stopped a step or command into the message a person reads: what was tried, with which value, what came back,
 * how often and how long, and what to do.
 */
import { ClientError } from '@deployment-annotations/client/errors'
import type { Door } from './door.ts'
import { InputError } from './input-error.ts'
import { toLog } from './text.ts'

/** What was about to be done, as the message says it. */
export type Operation =
  | 'read the inputs'
  | 'create the annotation'
  | 'change the annotation'
  | 'close the release span'
  | 'look for the annotation'
  | 'read the annotation'
  | `ask the query ${string}`
  | `ask ${string} for ${string}`
  | `read the fields of the dataset ${string}`
  | 'list the annotations'
  | 'ask what changed'

/** Errors that are the service's or the network's, not the user's: `onOutage` decides what they do to the job. */
export function isOutage(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false
  // Something answers in the service's place, such as the sign-in of a network or a notice of maintenance.
  const isPage = error.code === 'protocol' && /^\s*</.test(error.body ?? '')
  return ['connection', 'timeout', 'server', 'rate-limit'].includes(error.code) || isPage
}

/** @returns the message; several lines only for several wrong inputs */
export function explain(error: unknown, operation: Operation, door: Door): string {
  if (error instanceof InputError) return error.problems.map(({ input, rest }) => toLog(door.subject(input) + rest)).join('\n')
  if (!(error instanceof ClientError)) {
    const message = error instanceof Error ? error.message : String(error)
    return toLog(`Could not ${operation}: ${message}. This is a bug in the ${door.program}; please report it.`)
  }
  const toward = asksSource(operation) ? towardSource(door) : door
  // Where the client blames the address for a host that does not exist, it calls it by the name of its option.
  const message = error.message.replace(/\bbaseUrl$/, () => toward.mention('baseUrl'))
  const tries = error.attempts === 1 ? '1 attempt' : `${error.attempts} attempts`
  return [
    `Could not ${operation}: ${toLog(message)}.`,
    ...(error.traceId === undefined ? [] : [`Trace id ${toLog(error.traceId)}.`]),
    ...(isUnsent(error) ? [] : [`${tries} in ${(error.elapsedMs / 1_000).toFixed(1)} s.`]),
    ...(error.mayHaveTakenEffect && operation === 'create the annotation'
      ? ['The annotation may exist all the same: no answer came back, and it could not be looked up.']
      : []),
    adviseFor(operation, error, door) ?? ADVICE[error.code](toward.mention, error),
  ].join(' ')
}

/** Whether a setting was refused without a try; a host is looked up before it is found not to exist, and that is the cause. */
const isUnsent = ({ code, cause }: ClientError) => code === 'config' && cause === undefined

/** Whether it is a source that is asked, whose address is not that of an annotation service. */
function asksSource(operation: Operation): boolean {
  return /^ask \w+ for /.test(operation)
}

function towardSource(door: Door): Door {
  return { ...door, mention: (input) => door.mention(input === 'baseUrl' ? 'source' : input) }
}

/** The line for the log when another try follows. */
export function explainRetry(failure: ClientError, waitMs: number): string {
  return `${toLog(failure.message)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`
}

/** What to do next where it depends on what was tried. */
function adviseFor(operation: Operation, error: ClientError, { mention }: Door): string | undefined {
  if (error.code === 'not-found' && operation === 'create the annotation')
    return `Check ${mention('baseUrl')}: there is no annotation service.`
  if (asksSource(operation)) {
    if (error.code === 'auth') return `Check ${mention('sourceToken')}: it goes to the server of ${mention('source')} alone.`
    if (error.code === 'not-found' || error.code === 'protocol')
      return `Check ${mention('source')}: it is the address of Prometheus without /api/v1; that of others begins with loki+ or clickhouse+.`
    return error.code === 'invalid-request' ? 'Change the query.' : undefined
  }
  if (error.code === 'not-found' && operation.startsWith('read the fields'))
    return `${operation.replace('read the fields of the', 'The')} has no events yet. Send it some, or check its name and ${mention('baseUrl')}.`
  if (!operation.startsWith('ask the query')) return undefined
  if (error.code === 'auth' && error.status === 403) return 'Give the token the permission to query the datasets of the query.'
  if (error.code === 'not-found') return `Check the name of the dataset in the query, and ${mention('baseUrl')}.`
  if (error.code === 'invalid-request') return 'Change the query.'
  return undefined
}

/** What to do next, by the code of the error. */
const ADVICE: Readonly<Record<ClientError['code'], (mention: Door['mention'], error: ClientError) => string>> = {
  config: (_, error) =>
    isUnsent(error) ? 'Nothing was sent.' : 'Nothing was sent. Correct it, or run this in the network that knows it.',
  auth: (mention, { status }) =>
    status === 403
      ? 'Give the token the permissions it needs on annotations: create, update for changes, and read to look them up after a lost answer.'
      : `Check that the token belongs to the service at ${mention('baseUrl')} and has not been revoked.`,
  'not-found': (mention) => `Check ${mention('id')}, which must be an annotation of this service, and ${mention('baseUrl')}.`,
  'invalid-request': (mention, { status = 0 }) => adviseForStatus(status, mention),
  redirect: (mention) => `Set ${mention('baseUrl')} to the address that the service has moved to, if you trust it.`,
  certificate: (mention) =>
    `For a private certificate authority set NODE_EXTRA_CA_CERTS on the runner; otherwise check ${mention('baseUrl')}.`,
  tls: (mention) => `Set ${mention('baseUrl')} to an address that speaks TLS 1.2 or newer and asks for no client certificate.`,
  proxy: () => 'Check http_proxy or https_proxy with its user name and password, and no_proxy, on the runner.',
  connection: (mention) =>
    `Check ${mention('baseUrl')}, that the service is up, and whether the runner needs https_proxy or no_proxy.`,
  timeout: (mention) => `Check that the service is up; ${mention('timeoutSeconds')} gives it more time.`,
  'rate-limit': (_, { retryAfterMs }) =>
    retryAfterMs === undefined ? 'Try again later.' : `The service asks to wait ${Math.ceil(retryAfterMs / 1_000)} s.`,
  server: () => 'Try again later; if it keeps failing, give the trace id to the people who run the service.',
  protocol: (mention) => `Check ${mention('baseUrl')}: what answers there does not behave like an annotation service.`,
}

/** What to do about a 4xx that has no code of its own. */
function adviseForStatus(status: number, mention: Door['mention']): string {
  if (status === 400 || status === 422) return 'Change the input that the message names.'
  if (status === 402) return 'The service waits to be paid: look at the plan and the bills of the organization of the token.'
  if (status === 407) return 'A proxy that no variable names wants a user name and a password: set https_proxy.'
  if (status === 409) return 'An earlier try of the same request is still under way there: see whether the annotation exists.'
  if ([413, 414, 431].includes(status)) return `Shorten ${mention('description')}, or raise the limit of the service or proxy.`
  if (status === 451) return 'The service may not serve you for legal reasons: ask the people who run it.'
  return `Check ${mention('baseUrl')}: this does not look like an annotation service.`
}
