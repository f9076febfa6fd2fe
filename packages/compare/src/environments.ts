/** The names that people give to environments. A file of its own, because the page loads it first, and not the names of fields. */

/** The usual name of the environment where people use it. */
export const PRODUCTION = 'production'

/** Names of the same environment, in small letters; the first is the usual one. */
const ENVIRONMENTS = [
  `${PRODUCTION} prod prd live`,
  'staging stage stg',
  'canary',
  'preview',
  'test testing qa',
  'development dev',
].map((names) => names.split(' '))

/** @param words the name of an environment, or the words of a text @returns the names of the first environment that is among them */
export function namesOfEnvironment(words: readonly string[]): readonly string[] | undefined {
  const small = words.map((word) => word.toLowerCase())
  return ENVIRONMENTS.find((names) => names.some((name) => small.includes(name)))
}

/** @returns whether it is where people use it, or a part of that such as `prod-eu`; what names no environment is, too */
export function isLive({ environment = '' }: { environment?: string | undefined }): boolean {
  return environment === '' || namesOfEnvironment(environment.split(/\W/, 1))?.[0] === PRODUCTION
}
