/**
 * Imports go one way: between packages, and between the files and folders inside them.
 * Deliberately not here: the order itself, which is data in `layers.yaml`.
 */
import { expect, test } from '@jest/globals'
import { readYaml } from '../support/read-yaml.ts'
import { commentsOf, imports, packageOf, read, sources, specifiersOf } from './tree.ts'

const { mayImport: MAY_IMPORT, layers: LAYERS } = readYaml<{
  mayImport: Readonly<Record<string, readonly string[]>>
  layers: Readonly<Record<string, readonly string[]>>
}>(import.meta.url, 'layers.yaml')

/** Every import of a file of ours, as `[from, to]`. */
const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => [from, to] as const))

function reach(file: string, seen = new Set<string>()): Set<string> {
  for (const next of imports.get(file) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
  return seen
}

test('packages import only the packages they may', () => {
  const wrong = edges.filter(
    ([from, to]) => packageOf(from) !== packageOf(to) && !MAY_IMPORT[packageOf(from)]?.includes(packageOf(to)),
  )
  expect(wrong.map(([from, to]) => `${from} imports ${to}`)).toEqual([])
})

/** The file or folder right below a root that a file is or lies in. */
const unitOf = (root: string, file: string) => file.slice(root.length + 1).split('/')[0] ?? ''
const isUnder = (root: string) => (file: string) => file.startsWith(`${root}/`)

test.each(Object.keys(LAYERS))('what lies in %s has a place in its layers', (root) => {
  const placed = LAYERS[root]?.flatMap((layer) => layer.split(' ')) ?? []
  const units = new Set(sources.filter(isUnder(root)).map((file) => unitOf(root, file)))
  expect([...units].filter((unit) => !placed.includes(unit))).toEqual([])
})

test('inside a package imports go down its layers', () => {
  const wrong = Object.entries(LAYERS).flatMap(([root, layers]) => {
    const depth = (file: string) => layers.findIndex((layer) => layer.split(' ').includes(unitOf(root, file)))
    return edges
      .filter(([from, to]) => isUnder(root)(from) && isUnder(root)(to) && unitOf(root, from) !== unitOf(root, to))
      .filter(([from, to]) => depth(from) >= depth(to))
      .map(([from, to]) => `${from} imports ${to}, which does not stand below it in the layers of ${root}`)
  })
  expect(wrong).toEqual([])
})

test('no name stands twice in the layers', () => {
  const twice = Object.entries(LAYERS).flatMap(([root, layers]) => {
    const names = layers.flatMap((layer) => layer.split(' '))
    return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} in ${root}`)
  })
  expect(twice).toEqual([])
})

test('inside every folder, at any depth, the folders import each other one way', () => {
  const folders = new Set(
    sources.flatMap((file) => file.split('/').flatMap((_, at, parts) => parts.slice(0, at).join('/') || [])),
  )
  const circles = [...folders].flatMap((folder) => {
    const arrows = new Map<string, Set<string>>()
    for (const [from, to] of edges.filter(([a, b]) => isUnder(folder)(a) && isUnder(folder)(b))) {
      const [a, b] = [unitOf(folder, from), unitOf(folder, to)]
      if (a !== b) arrows.set(a, (arrows.get(a) ?? new Set()).add(b))
    }
    const reaches = (unit: string, seen = new Set<string>()): Set<string> => {
      for (const next of arrows.get(unit) ?? []) if (!seen.has(next)) reaches(next, seen.add(next))
      return seen
    }
    return [...arrows.keys()].filter((unit) => reaches(unit).has(unit)).map((unit) => `${folder}/${unit}`)
  })
  expect(circles).toEqual([])
})

test('no imports go in a circle', () => {
  expect(sources.filter((file) => reach(file).has(file))).toEqual([])
})

test('every import names a file that is there', () => {
  expect(edges.filter(([, to]) => !imports.has(to)).map(([from, to]) => `${from} imports ${to}`)).toEqual([])
})

test('only the store imports an engine', () => {
  const isStore = (file: string) => packageOf(file) === 'event-store'
  const engines = /^(?:chdb|@clickhouse\/client)(?:\/|$)/
  expect(sources.filter((file) => !isStore(file) && specifiersOf(file).some((name) => engines.test(name)))).toEqual([])
})

/** Whom the edge speaks to, as its folders and the forms of notifiers call them. */
const STRANGERS =
  /otlp|opentelemetry|elastic|grafana|graphite|slack|teams|discord|pagerduty|opsgenie|github|gitlab|bitbucket|vercel|netlify|azure|jenkins|argo|kubernetes|cdevents/i
/** Names in forms, the client that a page has to be told from, and copies of annotations that a migration removes. */
const MAY_NAME_STRANGERS = [
  'packages/records/src/migrations/0012-no-copies.ts',
  'packages/service/src/http/app.ts',
  'packages/service/src/http/request-headers.ts',
  'packages/service/src/outbox/target.ts',
]

test('what strangers send and take is read and written in the edge: behind their doors nothing names one', () => {
  const behind = sources.filter((file) => /^packages\/(?:service|records|event-store)\/src\/(?!routes\/|server\.ts)/.test(file))
  const codeOf = (file: string) => commentsOf(file).reduce((text, comment) => text.replace(comment, ''), read(file))
  expect(behind.filter((file) => STRANGERS.test(codeOf(file))).sort()).toEqual(MAY_NAME_STRANGERS)
})
