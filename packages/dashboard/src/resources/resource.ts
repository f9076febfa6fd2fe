/** What one list and one form have to know of a kind of resource to show, create, change and delete all of it. */
import type { Permission } from '@deployment-annotations/contract/permission'
import type { ComponentChildren, FunctionComponent } from 'preact'
import type { View } from '../address/view.ts'
import type { ShownOnceProps } from '../parts/shown-once.tsx'
import type { FormOf } from './fields.ts'

/** What every resource has. */
export interface Named {
  id: string
  name: string
}

/** The requests of one kind; their bodies come from its form. */
interface Requests<One> {
  list(signal: AbortSignal): Promise<One[]>
  create(body: object): Promise<unknown>
  /** Absent for what is only created and deleted. */
  change?(id: string, body: object): Promise<unknown>
  delete(id: string): Promise<void>
}

export interface Resource<One extends Named> {
  title: string
  /** One of them, as in “New monitor”. */
  noun: string
  /** What they are for, above the list. */
  about?: string
  /** What is said if there are none. */
  none: string
  /** The first part of the permissions, as in `monitors|read`. */
  permission: PermittedResource
  requests: Requests<One>
  /** The datasets that a token has to reach to change one. */
  datasetsOf?: (one: One) => readonly string[]
  /** Finds those with all of the words; by default in their names and descriptions. */
  find?: (all: readonly One[], words: string) => readonly One[]
  /** How soon the list is loaded again; by default only after a change. */
  refreshMs?: number
  /** Adds to the rows that are shown what other requests say of them. */
  useRows?: (rows: readonly One[], all: readonly One[]) => readonly One[]
  /** How many rows are shown at a time; by default all. */
  rowsMax?: number
  /** Rows of a lower rank come first; by default all are in the order of their names. */
  rank?: (one: One) => number
  sign?: (one: One) => Sign
  /** Where its name leads; by default to its form. */
  link?: (one: One) => View
  /** What is to be known of one, below its name. */
  sentence: (one: One) => ComponentChildren
  columns: readonly Column<One>[]
  form: FormOf
  /** What stands below the form of one, such as its history. */
  Details?: FunctionComponent<{ one: One }>
  /** Whether a new one is made elsewhere, so that there is no button for it. */
  isMadeElsewhere?: boolean
  /** The word for a change, by default “Change”. */
  change?: string | undefined
  actions?: readonly Action<One>[]
  deletion: Deletion<One>
  /** Whether nothing can be done to one. */
  isFixed?: (one: One) => boolean
  /** What is shown only once of a new one, such as its secret. */
  shownOnce?: (made: never) => Once | undefined
}

type PermittedResource = Permission extends infer P ? (P extends `${infer R}|delete` ? R : never) : never

/** A sign for people who scan a long list; a slot of the row has the words, for people who cannot see it or its color. */
export interface Sign {
  sign: string
  words: string
  tone?: 'good' | 'bad'
}

interface Column<One> {
  name: string
  isNumber?: boolean
  cell: (one: One) => ComponentChildren
}

export interface Action<One> {
  words: string | ((one: One) => string)
  /** What it needs; by default what a change needs. */
  permission?: Permission
  /** @returns what to say of it */
  run?: (one: One) => Promise<ComponentChildren>
  /** A dialog that asks for more. */
  View?: FunctionComponent<ActionProps<One>>
}

export interface ActionProps<One> {
  one: One
  onClose: () => void
  /** @param once what is to be shown once */
  onDone: (once?: Once) => void
}

/** A secret, say, with what to do with it. */
export type Once = Omit<ShownOnceProps, 'onClose'>

interface Deletion<One> {
  /** By default “Delete”. */
  words?: string
  about: string | ((one: One) => ComponentChildren)
  /** Whether the name has to be typed. */
  isTyped?: boolean
  onDeleted?: (one: One) => void
}
