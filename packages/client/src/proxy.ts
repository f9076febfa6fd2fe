/**
 * Which proxy stands before an address, as the variables of the environment say it. One rule, however the request is carried.
 */
import { hideLogin, isExempt, isProxyAddress } from '@deployment-annotations/contract/address'
import { ConfigError } from './errors.ts'

interface Proxy {
  /** The variable that names it, or that leaves it out. */
  variable: string
  /** The address of the proxy; absent where `no_proxy` leaves it out. */
  url?: string
}

const PROXY_FORM =
  'which is no proxy address such as http://user:password@proxy.example:3128: no SOCKS and no PAC file, and in its user name and ' +
  'password % is %25, / is %2F and \\ is %5C'

/**
 * Lower case goes first, as in curl and undici; https falls back to http as in undici. Without a scheme, it is http: as in curl.
 * @returns `undefined` where no variable names a proxy
 * @throws ConfigError where it is no address of an HTTP proxy
 */
export function readProxy(origin: URL, env: NodeJS.ProcessEnv): Proxy | undefined {
  const variables = [...(origin.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : []), 'http_proxy', 'HTTP_PROXY']
  const variable = variables.find((name) => env[name]?.trim())
  if (variable === undefined) return undefined
  const exemption = ['no_proxy', 'NO_PROXY'].find((name) => env[name])
  if (exemption !== undefined && isExempt(origin, env[exemption] ?? '')) return { variable: exemption }
  const given = env[variable] ?? ''
  const text = given.trim()
  const url = /^[^/]+:\d+\/?$/.test(text) ? `http://${text}` : text
  if (isProxyAddress(url)) return { variable, url }
  throw new ConfigError(`the variable ${variable} is ${JSON.stringify(hideLogin(given))}, ${PROXY_FORM}`)
}
