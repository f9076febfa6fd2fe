/**
 * The fields of a form as data: how the members of a resource become texts that people edit, and which members are sent of what was edited.
 * Pure. Deliberately not here: how a field is drawn.
 */
import type { FunctionComponent } from 'preact'
import { fromInputText, toInputText } from '../address/zone.ts'
import { checkDatasetNames } from '../parts/plain-words.ts'
import { splitNames } from '../parts/split-names.ts'

/** What a form holds: a text for each field. Lists are separated by commas; a switch that is off has an empty text. */
export type Texts = Readonly<Record<string, string>>

export interface FormState {
  texts: Texts
  /** Whether a new one is created: the service has defaults for its empty fields. */
  isNew: boolean
}

/** A form as its fields see it. */
export interface FormView extends FormState {
  /** The texts that the form started with. */
  before: Texts
  /** Why the last try failed. */
  error: unknown
  onChange: (some: Texts) => void
}

/** What a field has always, or what depends on the other fields. */
type Given<T> = T | ((form: FormState) => T)

export type Options = readonly (readonly [value: string, words: string])[]

/** What the browser checks: whole numbers by their bounds unless `step` says otherwise, and texts; `rows` makes a text of several lines. */
type Limits = Partial<Record<'min' | 'max' | 'minLength' | 'maxLength' | 'rows', number>> & { step?: 'any'; pattern?: string }

export interface FieldOf extends Limits {
  /** The member that it edits, or a name that `finish` of its form understands. */
  name: string
  label: string
  /** By default a line of text. */
  kind?: keyof typeof CODECS
  hint?: Given<string>
  placeholder?: Given<string>
  required?: Given<boolean>
  /** What to choose from; of a line, what is offered besides. */
  options?: Options
  /** Loads the options; absent if the token may not. */
  loadOptions?: (signal: AbortSignal) => Promise<Options>
  /** What a new one starts with; by default an empty text. */
  initial?: string
  /** Whether it stands in one line with a neighbor. */
  isHalf?: boolean
  /** Whether few people need it, so that it is folded. */
  isRare?: boolean
  isShown?: (form: FormState) => boolean
  /** Converts a member that no kind of field knows. */
  read?: (member: never) => string
  write?: (text: string) => unknown
  /** Draws a field that is like no other. */
  View?: FunctionComponent<{ field: FieldOf; form: FormView }>
}

export interface FormOf {
  fields: readonly FieldOf[]
  /** Reads the texts that are no member as it is. */
  read?: (one: never) => Texts
  /** Makes the body of the members that were edited. */
  finish?: (members: Readonly<Record<string, unknown>>, texts: Texts) => object
  /** Whether a change is sent with all of its members, because only that removes some. */
  isWhole?: (before: Texts, texts: Texts) => boolean
  /** Whether it lacks what only the person can give. */
  isIncomplete?: (texts: Texts) => boolean
  /** What belongs to the form and is no field, such as a preview; shown between the common fields and the rare ones. */
  Panel?: FunctionComponent<FormView>
}

/** This time unsets a time. */
const NO_TIME = '0001-01-01T00:00:00Z'

const TEXT = { read: String, write: (text: string): unknown => text }
const LIST = { read: (names: readonly string[]) => names.join(', '), write: splitNames }
const CODECS = {
  text: TEXT,
  query: TEXT,
  type: TEXT,
  url: TEXT,
  secret: { read: String, write: (text: string) => text.trim() },
  clock: TEXT,
  choice: TEXT,
  radio: TEXT,
  number: { read: String, write: Number },
  switch: { read: (isOn: boolean) => (isOn ? 'on' : ''), write: (text: string) => text !== '' },
  names: LIST,
  choices: LIST,
  datasets: LIST,
  time: {
    read: (time: string, zone: string) => toInputText(Date.parse(time), zone),
    write: (text: string, zone: string) => fromInputText(text, zone) ?? NO_TIME,
  },
} as const

/** @returns the value, also of what depends on the other fields */
export function given<T>(value: Given<T> | undefined, form: FormState): T | undefined {
  return typeof value === 'function' ? (value as (form: FormState) => T)(form) : value
}

export function shownFields({ fields }: FormOf, state: FormState): FieldOf[] {
  return fields.filter(({ isShown }) => isShown?.(state) ?? true)
}

/**
 * @param one the resource, or some members of a new one; its `undefined` members have the initial text
 * @param zone the zone in which times are typed
 */
export function textsOf({ fields, read }: FormOf, one: object | undefined, zone = ''): Texts {
  const texts = fields.map((field) => {
    const member: unknown = (one as Record<string, unknown> | undefined)?.[field.name]
    if (member === undefined || member === null) return [field.name, field.initial ?? '']
    const codec = field.read ?? CODECS[field.kind ?? 'text'].read
    return [field.name, (codec as (member: unknown, zone: string) => string)(member, zone)]
  })
  return { ...Object.fromEntries(texts), ...(one && read?.(one as never)) }
}

/** @returns the body of a create, without what is left empty @throws Error that says what is wrong with a text */
export function newOf(form: FormOf, texts: Texts, zone = ''): object {
  const state = { texts, isNew: true }
  return bodyOf(form, state, zone, ({ name, required }) => texts[name] !== '' || !!given(required, state))
}

/** @returns the body of a change: only the members that were edited, so that another person's change is not undone @throws as `newOf` */
export function changeOf(form: FormOf, before: Texts, texts: Texts, zone = ''): object {
  const isWhole = form.isWhole?.(before, texts) ?? false
  return bodyOf(form, { texts, isNew: false }, zone, ({ name }) => isWhole || texts[name] !== before[name])
}

function bodyOf(form: FormOf, state: FormState, zone: string, isSent: (field: FieldOf) => boolean): object {
  const sent = shownFields(form, state).filter(isSent)
  const members = Object.fromEntries(sent.map((field) => [field.name, memberOf(field, state, zone)]))
  return form.finish?.(members, state.texts) ?? members
}

function memberOf({ name, kind = 'text', write, required }: FieldOf, state: FormState, zone: string): unknown {
  const text = state.texts[name] ?? ''
  if (kind === 'datasets') {
    if (text === '' && given(required, state)) throw new Error('Choose at least one dataset.')
    checkDatasetNames(splitNames(text))
  }
  return (write ?? CODECS[kind].write)(text, zone)
}
