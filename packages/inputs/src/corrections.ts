/**
 * What people's data makes of inputs, brought into the form that the strict rules take: one rule for each kind of input. It is loaded only
 * where those rules have refused something. A rule leaves alone what they take, and what has no value near it.
 */
import { createHash } from 'node:crypto'
import { DIRECTIONS } from '@deployment-annotations/compare/series'
import { hideLogin } from '@deployment-annotations/contract/address'
import {
  DESCRIPTION_POINTS_MAX,
  TITLE_POINTS_MAX,
  TYPE_POINTS_MAX,
  URL_POINTS_MAX,
} from '@deployment-annotations/contract/annotation'
import { DATASET_NAME_PATTERN } from '@deployment-annotations/contract/dataset-name'
import { parseDuration } from '@deployment-annotations/contract/duration'
import { ANNOTATION_KEY_PATTERN } from '@deployment-annotations/contract/header'
import { countPoints, cutText } from '@deployment-annotations/contract/text'
import { VERDICTS } from '@deployment-annotations/contract/verdict'
import { readForeignTime } from './foreign-time.ts'
import type { Corrected, RawTexts } from './parse-corrected.ts'
import { isValueless, quote } from './text.ts'

/** What is said of an input: the rest of a sentence that its name begins. A hint is said only where it is refused all the same. */
type Say = (kind: 'warnings' | 'notices' | 'hints', rest: string) => void

/** @returns the text that the strict rules take. If the rule says nothing, a warning repeats what was given and what was taken */
type Rule = (text: string, say: Say) => string

/** An object in the place of one of these is a mistake with consequences, and not an input that was left out. */
const NEEDED = ['datasets', 'time', 'endTime', 'id', 'token', 'baseUrl']

/** @param defaults what inputs are that have no value */
export function correct(raw: RawTexts, defaults: Readonly<Partial<RawTexts>> = {}): Corrected {
  const corrected: Corrected = { raw: { ...raw }, warnings: [], notices: [], hints: [], isEmptyList: false }
  for (const [input, given] of Object.entries(raw)) {
    const said: string[] = []
    const say: Say = (kind, rest) => {
      said.push(rest)
      if (rest !== '') corrected[kind].push({ input, rest })
    }
    const text = trim(given)
    const [, rule] = RULES.find(([names]) => names.split(' ').includes(input)) ?? []
    const isLost = text.startsWith('[object') && NEEDED.includes(input)
    const isNone = isValueless(bare(text)) && !isLost
    if (isNone) say('warnings', ` is ${quote(text)}, which is no value: it counts as not given`)
    const isLeft = rule === undefined || text === '' || isLost
    const taken = isNone ? (defaults[input] ?? '') : isLeft ? given : rule(input === 'token' ? given : text, say)
    if (said.length === 0 && ![given, text].includes(taken)) say('warnings', ` is ${quote(given)}: ${quote(taken)} was taken`)
    if (input === 'datasets' && text === '')
      say('hints', ', separated by commas. If you gave "id", it is empty: did the step that made it run?')
    if (input === 'datasets') corrected.isEmptyList = isNone || (taken === '' && /[[#/]/.test(text))
    corrected.raw[input] = taken
  }
  return corrected
}

/** White space, byte order marks and characters of no width. */
const trim = (text: string) => text.replace(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '')

const QUOTED = /^\\?["'`“”„‘’‚«»]+(?:(?<=["'`“”„‘’‚«»]{2})|(?!["'`“”„‘’‚«»])([^"'`“”„‘’‚«»]*?)\\?["'`“”„‘’‚«»]+)$/

/** @returns the text without quotes of any kind around it */
const bare = (text: string) => trim(trim(text).replace(QUOTED, '$1'))

const correctToken: Rule = (text, say) => {
  const trimmed = trim(text)
  const token = bare(trimmed)
  if (trimmed !== text) say('warnings', ' has whitespace at its ends, which was left out: store the secret again')
  if (token !== trimmed) say('warnings', ' has quotes around it, which were left out: store the secret again')
  return token
}

/** Separators of lists, and the ends of lines. */
const SEPARATORS = /[,;|，、；\n\r\v\f\u0085\u2028\u2029]+/
/** What a list has besides its parts: comments, and the signs that begin the items of a YAML list. */
const BESIDE_PARTS = /^[^\S\n\r\u2028\u2029]*(?:(?:#|\/\/).*$|[-*+•]\s+)|\s#.*$/gm

/**
 * A list as other tools write it: JSON, YAML, lines, any usual separators; white space separates only where all are names then.
 * @returns `undefined` for a list of objects
 */
function readList(text: string, isName: (part: string) => boolean): string[] | undefined {
  const json = parseJson(text) ?? parseJson(text.replaceAll('\\"', '"'))
  if (typeof json === 'string') return readList(json, isName)
  const items = typeof json === 'object' ? [json].flat(9) : [text.replace(/^\[|\]$/g, '')]
  if (items.some((item) => typeof item === 'object' && item !== null)) return undefined
  const parts = items.join('\n').replace(BESIDE_PARTS, '').split(SEPARATORS).map(bare)
  const apart = parts.map((part) => [part, part.split(/\s+(?:-\s+)?/).map(bare)] as const)
  return apart.flatMap(([part, words]) => (words.every(isName) ? words : part)).filter((name) => name !== '')
}

/** @returns `undefined` for what is no JSON, and for its `null` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

const isDataset = (text: string) => DATASET_NAME_PATTERN.test(text)

const NAMES = 'a dataset name has 1 to 128 ASCII letters, digits and "-"; names are separated by commas'

const correctDatasets: Rule = (text, say) => {
  const names = readList(text, isDataset)
  const near = names?.filter((name) => !isDataset(name)).map((name) => quote(toWord(name, /[^A-Za-z0-9]+/g)))
  if (names === undefined) say('hints', `: ${NAMES}, such as join(fromJSON(…).*.name)`)
  else say('hints', near?.length ? `: ${NAMES}, and none is guessed: is it ${near.join(', ')}?` : '')
  return names?.join(',') ?? text
}

const NO = /^(?:f|false|n|no|off|0|never|none|disabled?)$/i

const correctVerdicts: Rule = (text, say) => {
  const toName = (part: string) => part.toLowerCase().replace(/[\s_]+/g, '-')
  const names = readList(text, (part) => VERDICTS.some((verdict) => verdict === toName(part)))?.map(toName)
  if (names?.every((name) => VERDICTS.some((verdict) => verdict === name))) say('hints', '')
  return names?.filter((name) => !NO.test(name)).join(',') ?? text
}

const correctTitle: Rule = (text, say) => {
  const [first = ''] = text.split(/[\n\r\v\f\u0085\u2028\u2029]/)
  if (first !== text) say('warnings', ' has several lines; the first was taken')
  return cutTo(TITLE_POINTS_MAX)(trim(first), say)
}

const cutTo =
  (pointsMax: number): Rule =>
  (text, say) => {
    const points = countPoints(text)
    if (points > pointsMax) say('warnings', ` has ${points} characters; it was cut to ${pointsMax}`)
    return cutText(text, pointsMax)
  }

const correctUrl: Rule = (given, say) => {
  const [text = ''] = bare(given.replace(/^<(.*)>$/s, '$1')).split(/[\n\r]/)
  const url = new URL(URL.canParse(text) ? text : 'none:')
  const isLink = /^https?:$/.test(url.protocol)
  const hasLogin = isLink && url.username + url.password !== ''
  url.username = ''
  url.password = ''
  const link = hasLogin || /\s/.test(text) ? url.href : text
  const points = countPoints(link)
  const why = isLink ? ` has ${points} characters, at most ${URL_POINTS_MAX} are stored` : ' is no http(s) address'
  if (!isLink || points > URL_POINTS_MAX)
    say('warnings', `${why}, so the annotation keeps its link, or links to the job: ${quote(hideLogin(text))}`)
  else if (hasLogin) say('warnings', ` has a login, which was left out: ${quote(link)} was taken`)
  return isLink && points <= URL_POINTS_MAX ? link : ''
}

/** Letters that do not come apart into one of ASCII and its marks. */
const LETTERS: Readonly<RawTexts> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

function toAscii(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return letters.replace(/[ßæœøłđðþı]/gi, (letter) => LETTERS[letter.toLowerCase()] ?? letter)
}

/** @returns the nearest spelling without these characters; '' where nothing is left */
function toWord(text: string, others: RegExp): string {
  const word = toAscii(text).replace(others, '-')
  return word.replace(/^[-\s]+|(?<![-\s])[-\s]+$/g, '')
}

const correctType: Rule = (text) => {
  const apart = text.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1-').toLowerCase()
  return toWord(toWord(apart, /[^a-z0-9]+/g).slice(0, TYPE_POINTS_MAX), /-$/) || text
}

const KEY_MAX = 128
const DIGITS = 12

/** What is left of several keys may be the same, so digits are added that each text has alone. */
const correctKey: Rule = (given) => {
  const text = bare(given)
  if (ANNOTATION_KEY_PATTERN.test(text)) return text
  const digits = createHash('sha256').update(text.normalize('NFC')).digest('hex').slice(0, DIGITS)
  const word = toWord(text, /[^\x20-\x7e]+/g).slice(0, KEY_MAX - DIGITS - 1)
  return word === '' ? digits : `${word}-${digits}`
}

const correctTime: Rule = (given, say) => {
  const text = bare(given)
  if (/^now(?:\(\))?$/i.test(text)) return 'now'
  if (/^job[\s_-]?end$/i.test(text)) return 'job-end'
  // What Go and .NET print of a time that nobody has set.
  if (/^0001-01-01[T ]00:00:00/.test(text)) return ''
  const { time, isZoneless, reason } = readForeignTime(text)
  say('hints', reason === undefined ? '' : `; ${reason}`)
  if (isZoneless) say('notices', ` is ${quote(text)}, which has no zone: it was read as UTC, ${time}`)
  return time ?? text
}

const correctBoolean: Rule = (given, say) => {
  const text = bare(given)
  if (/^(?:true|false)$/i.test(text)) say('hints', '')
  return NO.test(text) ? 'false' : /^(?:t|true|y|yes|on|1|enabled?)$/i.test(text) ? 'true' : text
}

const toLetters = (word: string) => word.toLowerCase().replace(/[^a-z]+/g, '')

/** Other cases and separators, and words that begin with one of the choices, such as `warning`. */
const choose =
  (...choices: string[]): Rule =>
  (text) =>
    choices.find((choice) => toLetters(text).startsWith(toLetters(choice))) ?? bare(text)

const UNITS = /(\d)\s*(ms|[dhms])(?:ecs?|econds?|ins?|inutes?|rs?|ours?|ays?)?(?![a-z])[\s,]*(?:and\s)?\s*/g

/** `15 minutes`, `1 h 30 min` and `PT15M` as durations of the contract. */
function correctLength(given: string): string {
  const text = bare(given)
  const plain = text.toLowerCase().replace(/^p(?=[\dt])|t(?=\d)/g, '')
  const length = plain.replace(UNITS, '$1$2')
  return parseDuration(length) === undefined ? text : length
}

const isLength = (text: string) => parseDuration(correctLength(text)) !== undefined

const correctTimeout: Rule = (given) => {
  const text = bare(given)
  const seconds = Number(text) || Number(parseDuration(correctLength(text)) ?? 0n) / 1e9
  return seconds > 0 ? String(seconds) : text
}

/** By the names of inputs. */
const RULES: readonly (readonly [names: string, rule: Rule])[] = [
  ['token', correctToken],
  ['datasets', correctDatasets],
  ['type typeOnFailure', correctType],
  ['time endTime start end', correctTime],
  ['title', correctTitle],
  ['description', cutTo(DESCRIPTION_POINTS_MAX)],
  ['url', correctUrl],
  ['id baseUrl source minChange confidence deploymentId', bare],
  ['key', correctKey],
  ['allowHttp dryRun summary requireGithub json', correctBoolean],
  ['onOutage onError', choose('warn', 'fail')],
  ['ifNoToken', choose('fail', 'skip')],
  ['direction', choose(...DIRECTIONS)],
  ['timeoutSeconds', correctTimeout],
  ['wait', (text) => (NO.test(text) ? '' : correctLength(text))],
  ['after before', correctLength],
  ['seasons', (text) => readList(text, isLength)?.map(correctLength).join(',') ?? text],
  ['failOn', correctVerdicts],
]
