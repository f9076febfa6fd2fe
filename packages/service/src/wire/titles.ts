/**
 * Which service and version the title of an annotation names, as CI systems, bots, registries, charts and people write them. A title that
 * may mean several things names none. Pure.
 */
import { isRollback } from '@deployment-annotations/contract/release'

/** What is named; both are absent if nothing is. */
interface Named {
  service?: string | undefined
  version?: string | undefined
}

const NUMBERS = String.raw`v?\d{1,20}(?:\.\d{1,20}){1,9}(?:[-+][\w.+-]{0,99}\w)?`
/** Seven hexadecimal digits or more are a commit; without any decimal digit they are a word. */
const COMMIT = String.raw`(?=[a-f]{0,39}\d)[\da-f]{7,40}`
const VERSION = new RegExp(`^(?:${NUMBERS}|${COMMIT})$`, 'i')
const FROM_TO = new RegExp(`(?:\\bfrom )?(?:${NUMBERS}|v\\d{1,20}|${COMMIT})(?: to | ?(?:→|->|=>) ?)(?=v?\\d|[\\da-f]{7})`, 'gi')
const FROM = new RegExp(`\\bfrom (?:${NUMBERS}|v\\d{1,20}|${COMMIT})(?= |$)`, 'gi')
/** A version behind the name of a chart, and a commit behind the branch in the tag of an image. */
const CHART = /^(\p{L}.*?)-(v?\d+\.\d.*)$/iu
const TAGGED = new RegExp(`^.*-(${COMMIT})$`, 'i')
/** Only a title about a release names its service without a version: "Outage" is none. */
const RELEASE = /deploy|release|roll(?:ed|ing)?[\s-]?(?:back|out)|revert|\bship/i
/** What a bot or a merge brings becomes part of a service, and is no version of it. */
const PART = /\bdependency|\(deps|\bin \/|^merge (?:pull|branch|remote|tag)|\bcve-|:\/\//i
const PREFIX = /^(?:chore|build|ci|release|deploy)(?:\([^)]*\))?!?: |^revert (?=")/i
/** Words that name no service and change nothing about what the others name. */
const FILLING =
  /^(?:(?:prod(?:uction)?|stag(?:e|ing)|(?:eu|us|ap|sa|ca|af|me)-[a-z]+-\d)(?:-\w+)?(?:-\d)?|canary|preview|live|(?:re)?deploy(?:s|ed|ing|ments?)?|releas(?:e[ds]?|ing)|roll(?:ed|ing|s)?|back|out|roll(?:ed|ing)?-?(?:backs?|outs?)|revert(?:ed|s|ing)?|ship(?:ped|s|ping)?|promot(?:e[ds]?|ing)|bump(?:s|ed)?|updat(?:e[ds]?|ing)|upgrad(?:e[ds]?|ing)|publish(?:ed)?|sync(?:ed)?|helm|chart|docker|image|tag|application|service|version|environment|started|finished|completed?|succeeded|success(?:ful(?:ly)?)?|failed|canceled|is|now|was|a|an|of|to|from|the|in|on|at|for|and|v)$/i
/** Words that stand where a service could, and name none. */
const NO_SERVICE =
  /^(?:v\d+|it|this|that|all|every\w*|new|latest|next|last|final|first|main|master|develop|trunk|head|refs|tags|heads|releases?|packages|charts|services|applications|apps|changes|updates|(?:bug|hot)?fix(?:es)?|features?|minor|major|patch|weekly|nightly|daily|monthly|\w+day|emergency|manual|automatic|scheduled|candidate|notes|train|again|today|build|job|run|pipeline|step)$/i
const BRANCH = /^(?:feat(?:ure)?|(?:bug|hot)?fix|chore|dependabot|renovate|users?|pull)\//i
/** What follows these says where it went, by whom and why. */
const REMARK = /\s(?:because|after|due|fix(?:es|ing)?|adds?|by|on|in)\s.*|(?:\s[–—|-]|[:;])(?<=\d[\w.+-]*(?:\s[–—|-]|[:;]))\s.*/i

/** @param type of the annotation, which may say that it is a release @returns what the title names, if it can mean nothing else */
export function readTitle(title: string, type: string): Named {
  if (PART.test(title)) return {}
  const plain = title.replace(PREFIX, '').replace(/["'`“”*]|#\d+/g, '')
  const text = plain.replace(FROM_TO, 'to ').replace(FROM, '')
  // What stands in parentheses is a remark, unless it is the version.
  const bare = text.replace(/\(([^)]{0,256})\)/g, (_, inner: string) => (VERSION.test(inner) ? inner : ''))
  const words = bare
    .replace(REMARK, '')
    .split(/[\s[\]|»]+/)
    .map((word) => word.replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$|^[^\p{L}\p{N}@]+/gu, ''))
    .filter((word) => word !== '' && !FILLING.test(word))
  const parts = words.map((word, at) => readWord(word, at === words.length - 1))
  const whole = parts.filter(({ service, version }) => service !== undefined && version !== undefined)
  const [services, versions] = (['service', 'version'] as const).map((name) => [
    ...new Set((whole.length > 0 ? whole : parts).flatMap((part) => part[name] ?? [])),
  ]) as [string[], string[]]
  if (services.length > 1 || versions.length > 1) return {}
  const [[service = ''], [version]] = [services, versions]
  const isRelease = RELEASE.test(type) || RELEASE.test(title)
  if (!isRelease && !/v|\d\.\d+\.|^[^.]+$/i.test(version ?? '.')) return {}
  const isNamed = !NO_SERVICE.test(service) && /^\p{L}[\p{L}\p{N}._-]*$/u.test(service)
  // "Rollback of web 2.15.0" leaves open whether that version went or came.
  const isUndone = isRollback({ type: '', title }) && (/^revert "/i.test(title) || !/\bto\b/.test(text))
  return { ...(isNamed && { service: service.toLowerCase() }), ...(!isUndone && { version }) }
}

/** @returns what `web`, `2.15.0`, `web@2.15.0`, `ghcr.io/acme/web:2.15.0`, `web/v2.15.0` or `web-2.15.0` names */
function readWord(word: string, isLast: boolean): Named {
  if (VERSION.test(word) || (isLast && /^v\d+$/i.test(word))) return { version: word }
  if (BRANCH.test(word)) return { service: word }
  const path = word
    .replace(/@sha256:.*/, '')
    .split('/')
    .filter((part) => !FILLING.test(part))
  const names = (path.at(-1) ?? '').split(/[@:]/)
  const tag = /[/@:]/.test(word) ? (names.at(-1) ?? '').replace(/^sha-/, '') : ''
  const name = (names.length > 1 ? names.slice(0, -1) : path.slice(0, -1)).at(-1)
  const version = VERSION.test(tag) ? tag : TAGGED.exec(tag)?.[1]
  if (version !== undefined) return { ...(name && !NO_SERVICE.test(name) && { service: name }), version }
  const [, chart, number] = CHART.exec(names[0] ?? '') ?? []
  return chart && number && VERSION.test(number) ? { service: chart, version: number } : { service: names[0] || word }
}
