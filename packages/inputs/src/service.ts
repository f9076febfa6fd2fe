/**
 * The inputs that say where the service is, who asks, and for how long.
 */
import { parseBaseUrl } from '@deployment-annotations/client/connection'
import { type Problem, parseAll } from './input-error.ts'
import { parseBoolean, parseTimeout, parseToken } from './input-values.ts'

/** The text of each input. */
type RawService = Record<'token' | 'baseUrl' | 'allowHttp' | 'timeoutSeconds', string>

/** How to reach the service. */
export interface ServiceInputs {
  /** Empty only in a dry run, and where the step is to be skipped without one. */
  token: string
  baseUrl: URL
  allowHttp: boolean
  timeoutMs: number
}

interface ServiceOptions {
  /** False where nothing will be sent without one; default `true`. */
  needsToken?: boolean
  /** What to do where there is no token. */
  noToken: string
}

/** @throws InputError */
export function parseService(raw: RawService, { needsToken = true, noToken }: ServiceOptions): ServiceInputs {
  const token = raw.token.trim()
  return parseAll<ServiceInputs>({
    token: () => (needsToken ? parseToken(token, noToken) : token),
    allowHttp: () => parseBoolean('allowHttp', raw.allowHttp),
    baseUrl: () => parseBaseUrl(raw.baseUrl, raw.allowHttp.toLowerCase() === 'true'),
    timeoutMs: () => parseTimeout(raw.timeoutSeconds),
  })
}

/** @returns that whitespace was left out of the token, for the log */
export function warnOfWhitespace({ token }: Pick<RawService, 'token'>): Problem[] {
  if (token.trim() === '' || token.trim() === token) return []
  const rest = ' has whitespace at its ends, which was left out: store the secret again'
  return [{ input: 'token', rest }]
}
