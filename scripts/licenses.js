/**
 * The licenses of packages that are in a bundle, for the file beside it.
 * Plain JavaScript, because `npm ci` runs it; see service.js.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns {string[]} the folders of the packages of others that the bundler has put into a bundle */
export const foldersIn = ({ inputs }) =>
  Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])

/**
 * @param {Iterable<string>} folders of packages, in any order and as often as they occur
 * @returns {string} each package once, by name, with the text of its license
 */
export function readLicenses(folders) {
  return [...new Set([...new Set(folders)].map(readLicense))].sort().join('\n')
}

function readLicense(folder) {
  const { name, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${folder} names no license`)
  const file = readdirSync(folder).find((candidate) => /^licen[cs]e(-mit)?(\.md|\.txt)?$/i.test(candidate))
  // Some packages only name theirs.
  const text = file === undefined ? `by ${author?.name ?? author}\n` : readFileSync(join(folder, file), 'utf8')
  return `${name}\n${license}\n${text}`
}
