/** Colors the words of a query by the compiler's own lexer. */
import { type EditorState, RangeSetBuilder, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { KEYWORDS } from '../expectation.ts'
import { readWords, type Word } from '../words.ts'

const MARKS = Object.fromEntries(
  ['comment', 'string', 'number', 'operator', 'function', 'keyword'].map((name) => [
    name,
    Decoration.mark({ class: `apl-${name}` }),
  ]),
)

/** The decorations are computed for each change: a query has a few hundred words at most, which takes less than a millisecond. */
export const highlight = StateField.define<DecorationSet>({
  create: (state) => color(state),
  update: (before, { docChanged, state }) => (docChanged ? color(state) : before),
  provide: (field) => EditorView.decorations.from(field),
})

function color(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const words = readWords(state.doc.toString())
  let before: Word | undefined
  for (const [at, word] of words.entries()) {
    const mark = MARKS[kindOf(word, before, words[at + 1])]
    if (mark) builder.add(word.start, word.end, mark)
    if (word.kind !== 'comment') before = word
  }
  return builder.finish()
}

function kindOf({ kind, text }: Word, before: Word | undefined, after: Word | undefined): string {
  if (kind !== 'word') return kind
  if (before?.text === '|') return 'operator'
  if (KEYWORDS.has(text)) return 'keyword'
  return after?.text === '(' ? 'function' : ''
}
