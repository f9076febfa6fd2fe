/**
 * The addresses of services and proxies, as a message may show them.
 */

/** @returns the address without whatever is before its last `@`, because a password may have any sign, also one that ends it in a URL */
export function hideLogin(address: string): string {
  return address.replace(/^.*(?:@|%40)/is, '***@')
}
