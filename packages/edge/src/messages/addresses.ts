/**
 * Which addresses messages may be sent to. By default only those of the public internet: whoever may make a notifier could otherwise have
 * the service ask what only it can reach, such as the metadata of a cloud. A name is resolved once, for the connection itself, so that it
 * cannot mean another address between the check and the use.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Not tried again: the address, or the operator's permission, has to change. */
export class RefusedAddressError extends Error {
  constructor(host: string) {
    super(
      `${JSON.stringify(host)} is an address inside a network, which the service does not send to without --allow-private-notifications`,
    )
  }
}

/** All of IPv6 that is given out for the public internet (RFC 4291, 2.4); old and local forms that stand for an IPv4 address are outside. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Where every virtual machine of Azure reaches its host, though the address is one of the public internet. */
const AZURE_HOST = '168.63.129.16/32'
/** Names of one word, and those that exist only inside networks (RFC 6761, 6762 and 8375, and ICANN for `internal`). */
const INSIDE_NAME = /^[^.]+\.?$|\.(?:internal|local|localhost|home\.arpa)\.?$/i

/**
 * Whether an address is one of the public internet; forms of IPv6 that stand for an IPv4 address are not, and neither are those of the
 * networks that this machine is in, where no firewall may be in between.
 */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const isGivenOut = parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6))
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.flatMap(({ cidr }) => cidr ?? []))
  const near = [AZURE_HOST, ...own].map((cidr) => ipaddr.parseCIDR(cidr))
  return isGivenOut && ipaddr.subnetMatch(parsed, { near }, '') === ''
}

/** @returns why nothing is sent to a URL whose host is an address, for which no lookup is made; `undefined` if something may be */
export function checkHost({ hostname }: URL, mayBePrivate: boolean): RefusedAddressError | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return !mayBePrivate && isIP(host) !== 0 && !isPublic(host) ? new RefusedAddressError(host) : undefined
}

/** @returns a lookup for a connection, which fails where a name, or one of its addresses, is not of the public internet */
export function createLookup(mayBePrivate: boolean, resolve: typeof lookup = lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const isInside = INSIDE_NAME.test(host) || found.length === 0 || !found.every(({ address }) => isPublic(address))
      if (isInside && !mayBePrivate) return callback(new RefusedAddressError(host), '', 0)
      if (options.all) return callback(null, found)
      callback(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}
