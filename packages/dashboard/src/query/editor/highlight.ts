/** Colours the words of a query by the compiler's own lexer. */
import { type EditorState, RangeSetBuilder, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { lexUnfinished, type Piece } from '@deployment-annotations/apl/text/unfinished'
import { JOINING } from '../expectation.ts'

const WORDS = new Set([...JOINING, 'asc', 'desc', 'kind', 'let', 'true', 'false', 'null'])

const MARKS = Object.fromEntries(
  ['comment', 'string', 'number', 'operator', 'function', 'keyword'].map((name) => [
    name,
    Decoration.mark({ class: `apl-${name}` }),
  ]),
)

/** The decorations are computed for each change: a query has a few hundred words at most, which takes less than a millisecond. */
export const highlight = StateField.define<DecorationSet>({
  create: (state) => colour(state),
  update: (before, { docChanged, state }) => (docChanged ? colour(state) : before),
  provide: (field) => EditorView.decorations.from(field),
})

function colour(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const pieces = lexUnfinished(state.doc.toString())
  const code = pieces.filter(({ kind }) => kind !== 'comment')
  const placeOf = new Map(code.map((piece, at) => [piece, at]))
  for (const piece of pieces) {
    const at = placeOf.get(piece) ?? -1
    const mark = MARKS[kindOf(piece, code[at - 1], code[at + 1]) ?? '']
    if (mark) builder.add(piece.start, piece.end, mark)
  }
  return builder.finish()
}

function kindOf({ kind, text }: Piece, before: Piece | undefined, after: Piece | undefined): string | undefined {
  // The string in `['…']` is a name.
  if (kind === 'string' && before?.text === '[') return undefined
  if (kind !== 'word') return kind
  if (before?.text === '|') return 'operator'
  if (WORDS.has(text)) return 'keyword'
  return after?.text === '(' ? 'function' : undefined
}
