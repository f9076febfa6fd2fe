/**
 * The addresses of services and proxies: which of them are one, as a message may show them, and what a list of exceptions leaves out.
 */

/** @returns the address without whatever is before its last `@`, because a password may have any sign, also one that ends it in a URL */
export function hideLogin(address: string): string {
  const rest = address.split(/@|%40/).at(-1)
  return rest === address ? address : `***@${rest}`
}

/** @returns the address without the login that it may carry, which is no part of a link */
export function withoutLogin(address: string): string {
  return address.replace(/\/\/[^/]*@/, '//')
}

/** @returns whether it is the address of an HTTP proxy; a path would be the rest of a password that has a `/`, or a file with rules for proxies */
export function isProxyAddress(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return false
  const { hostname, port, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return /^(?:[\w.-]+|\[.+\])$/.test(hostname) && port !== '0'
}

/** @param list names, addresses and networks, each with a port if it is only that one, separated by commas or whitespace; `*` is all */
export function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = trimName(hostname)
  const portOf = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,;]+/).some((entry) => {
    const [, bracketed, plain = '', only = portOf] = /^(?:(\[.*\])|([^:]*|[^:]*:[^:]*:.*))(?::(\d+))?$/.exec(entry) ?? []
    const name = trimName(bracketed ?? plain)
    if (name === '' || only !== portOf) return false
    return name === '*' || host === name || host.endsWith(`.${name}`) || isInNetwork(host, name)
  })
}

/** @returns the name without what makes no difference: brackets of IPv6, a dot at its end, and `*.` or a dot at its start */
function trimName(name: string): string {
  return name.toLowerCase().replace(/^\*?\.|^\[|\]$|\.$/g, '')
}

/** @param network an address, or one with the number of bits that count, as in 10.0.0.0/8 */
function isInNetwork(host: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? []
  const width = isIP(address) === 6 ? 128 : 32
  const prefix = Number(bits ?? width)
  if (!isIP(host) || !isIP(address) || prefix > width) return false
  const family = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4')
  const list = new BlockList()
  list.addSubnet(address, prefix, family(address))
  return list.check(host, family(host))
}
