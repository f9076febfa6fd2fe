/**
 * Endpoints of the hosted service that published clients ask for and that this one does not have: they are not found, and the text
 * says that it is not the address that is wrong.
 */

/** What an address that begins so is for. */
const ABSENT: readonly (readonly [path: RegExp, what: string])[] = [
  [/^\/v2\/notifiers\b/, 'notifiers: a monitor marks its charts, and tells nobody else'],
  [/^\/v2\/dashboards\b/, 'dashboards of charts; it has one page of its own'],
  [/^\/v2\/(apl-starred-queries|views)\b/, 'starred queries and views'],
  [/^\/v2\/(users|rbac)\b/, 'users and roles: whoever has a token may do what the token may'],
  [/^\/v1\/query\/(_mpl|metrics|batch)\b/, 'queries of metrics'],
  [/^\/v[12]\/datasets\/[^/]+\/vacuum$/, 'a vacuum: fields stay known as long as their dataset is there'],
  [/^\/v[12]\/datasets\/[^/]+\/fields\/[^/]+$/, 'descriptions and units of single fields; a virtual field can have them'],
  [/^\/(services\/collector|loki\/api)\b/, 'this form of ingest'],
]

/** @returns the words for an address that has nothing behind it, `undefined` where nobody would expect something there */
export function whyAbsent(path: string): string | undefined {
  const what = ABSENT.find(([pattern]) => pattern.test(path))?.[1]
  return what === undefined ? undefined : `this service does not have ${what}; docs/compatibility.md lists what it has`
}
