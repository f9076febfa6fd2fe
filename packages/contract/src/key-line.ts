/**
 * The key of an annotation in its own description, for services that do not know keys: a last line that Markdown does not show. It also
 * says of which attempt of the run the annotation is, and whether a job of it has failed.
 */
import { DESCRIPTION_POINTS_MAX } from './annotation.ts'
import { type AnnotationJob, addLines } from './annotation-job.ts'
import { countPoints } from './text.ts'

const KEY_LINE = /(?:^|\n\n)(\[\/\/\]: # \(key: ([^\s()]*)(?: ([^\s()]*) (\d+)( failed)?)?\))$/
/** A line that a job has left: how it went, how long it took, and which one it was; and what stands for lines that did not fit. */
const JOB_LINE = /^(?:[a-z]+(?: \([^()]*\))? after [\d a-z]+(?: \[\]\(#\S+\.\d+\))?|and \d+ more)$/

/** What a description says besides the text that people wrote. */
interface KeyedText {
  text: string
  /** How the jobs went, a line each. */
  lines: string[]
  /** As it is written in the line with the key; '' where there is no such line. */
  key: string
  /** Absent where nobody said which attempt of which run it is. */
  attempt?: (Pick<AnnotationJob, 'run' | 'attempt'> & { failed: boolean }) | undefined
}

export function readKeyedText(description = ''): KeyedText {
  const [, whole, key = '', run, attempt, failed] = KEY_LINE.exec(description) ?? []
  const paragraphs = (whole === undefined ? description : description.slice(0, -whole.length).trimEnd()).split('\n\n')
  let first = paragraphs.length
  while (first > 0 && JOB_LINE.test(paragraphs[first - 1] ?? '')) first--
  return {
    text: paragraphs.slice(0, first).join('\n\n'),
    lines: paragraphs.slice(first),
    key,
    attempt:
      run === undefined ? undefined : { run: decodeURIComponent(run), attempt: Number(attempt), failed: failed !== undefined },
  }
}

/** @returns the description with the key at its end, if there is one; text and lines are cut to what there is room for */
export function writeKeyedText({ text, lines, key, attempt }: KeyedText): string {
  if (key === '') return addLines(text, lines, DESCRIPTION_POINTS_MAX)
  const of = attempt === undefined ? '' : ` ${escapeName(attempt.run)} ${attempt.attempt}${attempt.failed ? ' failed' : ''}`
  const keyLine = `[//]: # (key: ${key}${of})`
  const before = addLines(text, lines, DESCRIPTION_POINTS_MAX - countPoints(keyLine) - 2)
  return before === '' ? keyLine : `${before}\n\n${keyLine}`
}

export function hasKey({ description }: { description?: string }, key: string): boolean {
  return readKeyedText(description).key === escapeName(key)
}

/** A title in parentheses ends at the first one that closes them. */
export function escapeName(name: string): string {
  return encodeURIComponent(name).replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
