/**
 * Which hosts only this machine reaches. Names below `.localhost` are not among them, because a resolver may send those elsewhere.
 */

/** @param host a name or an address in lower case, an IPv6 address with or without its brackets */
export function isLoopback(host: string): boolean {
  const [first, ...bytes] = host.split('.')
  const isByte = (part: string) => /^(?:\d\d?|[12]\d\d)$/.test(part) && Number(part) <= 255
  return ['localhost', '::1', '[::1]'].includes(host) || (first === '127' && bytes.length === 3 && bytes.every(isByte))
}
