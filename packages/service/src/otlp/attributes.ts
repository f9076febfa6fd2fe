/**
 * Where attributes go, as the hosted service has it: those of OpenTelemetry's semantic conventions are fields of their own
 * (`attributes.http.method`), all others are in one object under their full names (`['attributes.custom']['my.name']`). Of a resource,
 * `service.*` and `telemetry.*` stand at the top.
 */
import { joinMembers, type Member, objectText, valueText } from './json-text.ts'
import type { KeyValue } from './messages.ts'

type Tree = Map<string, string | Tree>

/** @returns the names of the semantic conventions, deprecated ones included. Loaded when they are needed: a start does without */
export async function loadConventions(): Promise<ReadonlySet<string>> {
  const names = await import('@opentelemetry/semantic-conventions/incubating')
  const known = Object.entries(names).flatMap(([key, name]) =>
    key.startsWith('ATTR_') && typeof name === 'string' ? [name] : [],
  )
  return new Set(known)
}

const TOP = /^(?:service|telemetry)\./

export class Attributes {
  readonly #known: ReadonlySet<string>

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  /** @returns an object, `undefined` where there are none */
  text(pairs: readonly KeyValue[] | undefined): string | undefined {
    return pairs && pairs.length > 0 ? treeText(this.#treeOf(pairs)) : undefined
  }

  /** @returns members of the event: `service`, `telemetry` and `resource` @param more of the resource */
  resourceMembers(pairs: readonly KeyValue[] | undefined, more: readonly Member[]): string {
    const top: KeyValue[] = []
    const rest: KeyValue[] = []
    for (const pair of pairs ?? []) (TOP.test(pair.key ?? '') && this.#known.has(pair.key ?? '') ? top : rest).push(pair)
    const tree = this.#treeOf(rest)
    for (const [name, text] of more) if (text !== undefined) tree.set(name, text)
    return joinMembers([...membersOf(this.#treeOf(top)), ['resource', treeText(tree)]])
  }

  #treeOf(pairs: readonly KeyValue[]): Tree {
    const tree: Tree = new Map()
    const custom: Tree = new Map()
    for (const { key = '', value } of pairs) {
      const text = valueText(value)
      if (!this.#known.has(key)) custom.set(key, text)
      else for (const [name, displaced] of place(tree, key, text)) custom.set(name, displaced)
    }
    if (custom.size > 0) tree.set('custom', custom)
    return tree
  }
}

/**
 * Puts a value where its name says.
 * @returns values that cannot be there, under their whole names: where one name goes on from another (`db.system`, `db.system.name`),
 *   one place cannot hold both a value and an object, and the shorter one gives way
 */
function place(tree: Tree, name: string, text: string): [name: string, text: string][] {
  const parts = name.split('.')
  const last = parts.pop() as string
  const displaced: [string, string][] = []
  let at = tree
  for (const [index, part] of parts.entries()) {
    let next = at.get(part)
    if (typeof next === 'string') displaced.push([parts.slice(0, index + 1).join('.'), next])
    if (!(next instanceof Map)) {
      next = new Map()
      at.set(part, next)
    }
    at = next
  }
  if (at.get(last) instanceof Map) return [...displaced, [name, text]]
  at.set(last, text)
  return displaced
}

function membersOf(tree: Tree): Member[] {
  return [...tree].map(([name, value]) => [name, typeof value === 'string' ? value : treeText(value)])
}

function treeText(tree: Tree): string | undefined {
  return objectText(membersOf(tree))
}
