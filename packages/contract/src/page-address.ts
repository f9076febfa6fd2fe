/** The addresses of the service's page. A file of its own, because bundles take files whole. */

/** @returns the parameters at the end; commas, colons and slashes are easier to read than their escapes */
export function formatParameters(given: URLSearchParams): string {
  return `?${given}`.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/')
}
