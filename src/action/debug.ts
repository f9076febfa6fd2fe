/**
 * Prints what a run with debug logging (`RUNNER_DEBUG=1`) shows, in one group at the end of the step: the inputs and where each came
 * from, the way to the service, each try, and what was saved for the post step. It never has secrets. A bundle of its own, because few
 * runs need it.
 */
import { readFileSync } from 'node:fs'
import { readProxy } from '@deployment-annotations/client/proxy'
import { createRedactor } from '@deployment-annotations/client/redact'
import type { Transport, WireReply, WireRequest } from '@deployment-annotations/client/transport'
import { hideLogin } from '@deployment-annotations/contract/address'
import { TRACE_ID_HEADER } from '@deployment-annotations/contract/header'
import { quote, toLog } from '@deployment-annotations/inputs/text'

type Texts = Readonly<Record<string, string>>

const SECRETS: readonly string[] = ['token', 'githubToken', 'sourceToken']
/** Inputs that may contain a user name and a password. */
const ADDRESSES: readonly string[] = ['baseUrl', 'url', 'source']

const lines: string[] = []
const redactors: ((text: string) => string)[] = []
let hasRoute = false
let endedAt: number | undefined

/**
 * Notes the inputs as they were read, and the state of the main step.
 * @param others the other names of an input
 */
export function tellInputs(raw: Texts, defaults: Texts, others: Texts): void {
  redactors.push(...SECRETS.map((name) => createRedactor((raw[name] ?? '').trim())))
  const given = (name = '') => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()
  for (const [name, text] of Object.entries(raw)) {
    const other = given(others[name]) !== '' && ['', defaults[name]].includes(given(name)) ? others[name] : undefined
    const origin = text === defaults[name] ? 'default' : 'workflow'
    const from = other === undefined ? origin : `${origin}, as "${other}"`
    const address = ADDRESSES.includes(name) ? hideLogin(text) : text
    // The hidden part may be in the state too.
    if (address !== text) redactors.push(createRedactor(text.slice(0, '***'.length - address.length)))
    const shown = SECRETS.includes(name) ? '***' : quote(redact(address))
    tell(text === '' ? `input "${name}": none` : `input "${name}": ${shown} (${from})`)
  }
  for (const [name, value = ''] of Object.entries(process.env)) {
    if (name.startsWith('STATE_')) tell(`left by the main step: ${name.slice('STATE_'.length)} = ${value}`)
  }
}

/**
 * Sends a request and notes the result.
 * @throws WireError
 */
export async function send(transport: Transport, request: WireRequest): Promise<WireReply> {
  const { method, url, headers } = request
  redactors.push(createRedactor(headers.authorization?.split(' ')[1] ?? ''))
  if (!hasRoute) tell(describeRoute(url))
  hasRoute = true
  const startedAt = performance.now()
  const pause = endedAt === undefined ? '' : ` after a pause of ${Math.round(startedAt - endedAt)} ms`
  const tried = `${method} ${url.href}${pause}`
  const took = () => `${Math.round(performance.now() - startedAt)} ms`
  try {
    const reply = await transport.send(request)
    const { [TRACE_ID_HEADER]: trace, 'x-request-id': id = trace } = reply.headers
    tell(`${tried}: ${reply.status} in ${took()}${id === undefined ? '' : `, request id ${id}`}`)
    return reply
  } catch (error) {
    tell(`${tried}: no whole reply in ${took()}, ${String(error)}`)
    throw error
  } finally {
    endedAt = performance.now()
  }
}

function describeRoute(url: URL): string {
  const proxy = readProxy(url, process.env)
  if (proxy === undefined) return 'no proxy: neither https_proxy nor http_proxy names one'
  if (proxy.url === undefined) return `no proxy: ${proxy.variable} leaves out ${url.host}`
  return `through the proxy ${hideLogin(proxy.url)}, which ${proxy.variable} names`
}

function tell(line: string): void {
  if (lines.length === 0) printAtEnd()
  lines.push(line)
}

/** Prints at the end, also if a signal ends the step because the job is canceled. */
function printAtEnd(): void {
  process.once('exit', print)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      print()
      process.kill(process.pid, signal)
    })
  }
}

function print(): void {
  const all = [...lines.splice(0), ...readSaved()].map((line) => `::debug::${toLog(redact(line)).replaceAll('%', '%25')}`)
  if (all.length > 0) process.stdout.write(['::group::What the step did', ...all, '::endgroup::', ''].join('\n'))
}

/** @returns a line for each value in the file with the state of the runner */
function readSaved(): string[] {
  try {
    const saved = readFileSync(process.env.GITHUB_STATE ?? '', 'utf8').matchAll(/^(\w+)<<(.+)\r?\n([\s\S]*?)\r?\n\2$/gm)
    return [...saved].map(([, name, , value]) => `saved for the post step: ${name} = ${value}`)
  } catch {
    return []
  }
}

function redact(text: string): string {
  return redactors.reduce((shown, without) => without(shown), text)
}
