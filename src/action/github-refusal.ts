/** Describes a failed request to GitHub's API, for both bundles that send some. */
import { toLog } from '@deployment-annotations/inputs/text'

/** An error of the toolkit's client. Without an answer its status is 500 and it has no response. */
interface Refusal {
  status?: number
  name?: string
  message?: string
  request?: { url?: string }
  response?: unknown
  cause?: { cause?: { code?: string } }
}

interface Asked {
  /** Takes the token out of a text. */
  redact: (text: string) => string
  /** How long the step waited for the answer, in milliseconds. */
  msMax: number
  /** What to do if the token lacks the permission. */
  remedy: string
}

/** @returns what came back and what to do, without a full stop */
export function explainRefusal(error: unknown, { redact, msMax, remedy }: Asked): string {
  const { name, message = '', status = 0, request, response, cause } = error as Refusal
  if (name === 'TimeoutError' || name === 'AbortError') return `no answer came within ${msMax / 1_000} s`
  const said = toLog(redact(message), 300)
  if (request?.url === undefined) return said
  if (response !== undefined) return `it answered ${status}, ${said}${[401, 403, 404].includes(status) ? `. ${remedy}` : ''}`
  const code = cause?.cause?.code ?? ''
  return `${new URL(request.url).host} did not answer: ${said.includes(code) ? said : `${said} ${code}`.trim()}`
}
