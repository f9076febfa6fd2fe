/**
 * The inputs that say where the service is, who asks, and for how long.
 */
import { parseBaseUrl } from '@deployment-annotations/client/connection'
import { parseAll } from './input-error.ts'
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

/**
 * @param needsToken false where nothing will be sent without one
 * @param noToken what to do where there is no token
 * @throws InputError
 */
export function parseService(raw: RawService, noToken: string, needsToken = true): ServiceInputs {
  const isGiven = raw.token.trim() !== ''
  return parseAll<ServiceInputs>({
    token: () => (needsToken || isGiven ? parseToken(isGiven ? raw.token : '', noToken) : ''),
    allowHttp: () => parseBoolean('allowHttp', raw.allowHttp),
    baseUrl: () => parseBaseUrl(raw.baseUrl, raw.allowHttp === 'true'),
    timeoutMs: () => parseTimeout(raw.timeoutSeconds),
  })
}
