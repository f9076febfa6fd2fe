/** See licenses.js. */
export function readLicenses(folders: Iterable<string>): string
