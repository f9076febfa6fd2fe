/**
 * Which hosts only this machine reaches. Names below `.localhost` are not among them, because a resolver may send those elsewhere.
 */

/** @param host a name or an address in lower case, an IPv6 address with or without its brackets */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3})$/.test(host)
}
