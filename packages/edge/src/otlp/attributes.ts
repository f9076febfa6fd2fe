/**
 * Where attributes go, as the hosted service has it: those of OpenTelemetry's semantic conventions are fields of their own
 * (`attributes.http.method`), all others are in one object under their full names (`['attributes.custom']['my.name']`). Of a resource,
 * `service.*` and `telemetry.*` stand at the top.
 */
import type { EventMembers, EventValue } from '@deployment-annotations/event-store/scan/event-text'
import { anyValue, list, Members, message, text } from './values.ts'

/** @returns the names of the semantic conventions, deprecated ones included. Loaded when they are needed: a start does without */
export async function loadConventions(): Promise<ReadonlySet<string>> {
  const names = await import('@opentelemetry/semantic-conventions/incubating')
  const known = Object.entries(names).flatMap(([key, name]) =>
    key.startsWith('ATTR_') && typeof name === 'string' ? [name] : [],
  )
  return new Set(known)
}

const TOP = /^(?:service|telemetry)\./

/** An object that stands for the beginning of names, and is no value. */
class Branch extends Members {}

export class Attributes {
  /** The parts of each name of the conventions. */
  readonly #conventions: ReadonlyMap<string, readonly string[]>

  constructor(names: ReadonlySet<string>) {
    this.#conventions = new Map([...names].map((name) => [name, name.split('.')]))
  }

  /** @returns the object of the attributes; nothing where there are none */
  place(pairs: unknown): EventMembers | undefined {
    return list(pairs, 'attributes').length > 0 ? this.#place(pairs, false).nested : undefined
  }

  /** @returns the members of a resource, and those that stand at the top */
  placeOfResource(pairs: unknown): { nested: Members; top: EventMembers } {
    return this.#place(pairs, true)
  }

  #place(pairs: unknown, isResource: boolean): { nested: Members; top: Members } {
    const [nested, top] = [new Branch(), new Branch()]
    let custom: Members | undefined
    for (const pair of list(pairs, 'attributes')) {
      const { key, value } = message(pair, 'KeyValue')
      const name = text(key, 'key') ?? ''
      const parts = this.#conventions.get(name)
      if (parts) placeIn(isResource && TOP.test(name) ? top : nested, parts, anyValue(value), nested)
      else {
        custom ??= customOf(nested)
        custom[name] = anyValue(value)
      }
    }
    return { nested, top }
  }
}

function customOf(nested: Branch): Members {
  nested.custom ??= new Members()
  return nested.custom as Members
}

/**
 * Where one name goes on from another (`db.system`, `db.system.name`), one place cannot hold both a value and an object: the shorter one
 * goes under its whole name, among the custom ones.
 */
function placeIn(tree: Branch, parts: readonly string[], value: EventValue, nested: Branch): void {
  const last = parts.length - 1
  let branch = tree
  for (let i = 0; i < last; i++) {
    const part = parts[i] as string
    const next = branch[part]
    if (next instanceof Branch) branch = next
    else {
      if (next !== undefined) customOf(nested)[parts.slice(0, i + 1).join('.')] = next
      const made = new Branch()
      branch[part] = made
      branch = made
    }
  }
  const name = parts[last] as string
  if (branch[name] instanceof Branch) customOf(nested)[parts.join('.')] = value
  else branch[name] = value
}
