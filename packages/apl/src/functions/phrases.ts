/**
 * `phrases`: what is said most often in texts. A phrase is two to eight words in a row; words that mean little by themselves,
 * numbers, brackets, and the marks between parts of a sentence end it. So `Use title case. Cover the related queries` has
 * "use title case" and "related queries".
 * Deliberately not here: languages other than English, whose small words count like any other.
 */
import { quoteText } from '../sql/quoting.ts'
import { json, type Value } from '../sql/value.ts'
import { aggregate, call, sizeOf } from './aggregation.ts'
import { arrayOf } from './json.ts'

/** The most phrases in one answer. */
const PHRASES_MAX = 1_000
/** A phrase has at least two words, and as many more as this. */
const MORE_WORDS_MAX = 7
/** How many more phrases are kept while counting than are answered: of rare ones the count is an estimate. */
const KEPT_PER_PHRASE = 20

/** Words that join others and say little alone. */
const STOP_WORDS =
  'a about after all also an and any are as at be because been before but by can could did do does each for from had has have he her here his how i if in into is it its just me more most my no nor not of on only or other our out over she should so some such than that the their them then there these they this to too under up us very was we were what when where which who why will with would you your'.split(
    ' ',
  )

/** Ends of sentences and their parts, brackets, quotation marks and line ends. */
const BREAKS = String.raw`[.,;:!?]+(?:\s|$)|[\n\r\t()\[\]{}<>|"“”„«»]+`
const BREAK = String.fromCharCode(10)

/** The phrases of one text, in its order. */
function phrasesOf(text: string): string {
  const lines = `replaceRegexpAll(lowerUTF8(ifNull(${text}, '')), ${quoteText(BREAKS)}, ' \\n ')`
  const words = `splitByChar(' ', replaceRegexpAll(${lines}, ${quoteText(String.raw`[^\p{L}\p{N}'’\n]+`)}, ' '))`
  const stops = STOP_WORDS.map((word) => `'${word}'`).join(', ')
  const kept = `arrayMap(w -> if(w IN (${stops}) OR w = '' OR isNotNull(toUInt64OrNull(w)), '\\n', w), ${words})`
  return `extractAll(arrayStringConcat(${kept}, ' '), ${quoteText(`[^${BREAK} ]+(?: [^${BREAK} ]+){1,${MORE_WORDS_MAX}}`)})`
}

export const phrases = aggregate('source:text count:integer', (invocation, value) => {
  const most = sizeOf(invocation, 1, 0, PHRASES_MAX)
  const found = call(invocation, 'topKArray', phrasesOf((value as Value).as('text')), [most, `${KEPT_PER_PHRASE}`, "'counts'"])
  const ranked = `arraySort(t -> tuple(-toInt64(tupleElement(t, 2)), tupleElement(t, 1)), ${found})`
  const rows = `arrayMap(t -> concat('{"phrase":', toJSONString(tupleElement(t, 1)), ',"count":', toString(tupleElement(t, 2)), '}'), ${ranked})`
  return json(arrayOf(rows), 'array')
})
