/** See licenses.js. */
export function readLicenses(names: Iterable<string>): string
