/** Shows the names of `complete` in CodeMirror and opens the list while somebody writes. */
import {
  autocompletion,
  type Completion,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  currentCompletions,
  selectedCompletionIndex,
  setSelectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { type EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { complete, type Item, type Names } from '../completion.ts'

/** @param names returns the names that are known now; more may be loaded while the list is open */
export function completions(names: () => Names): Extension {
  return [
    autocompletion({
      override: [({ state, pos }) => listAt(state, pos, names())],
      // Without a prefix nothing is selected, because Enter starts a new line there.
      selectOnOpen: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      icons: false,
      maxRenderedOptions: 50,
      // The space separates a name from its parameters for screen readers.
      addToOptions: [{ position: 60, render: () => document.createTextNode(' ') }],
    }),
    EditorView.updateListener.of(({ view }) => chooseFirst(view)),
    Prec.highest(keymap.of(['Enter', 'Tab'].map((key) => ({ key, run: (view) => takeComing(view, names()) })))),
    EditorView.domEventHandlers({
      click: (_event, view) => {
        if (view.state.doc.length === 0) startCompletion(view)
      },
    }),
  ]
}

/** The offered names, and whether an unfinished name is before the cursor. */
interface Offered extends ReturnType<typeof optionOf> {
  isBegun: boolean
}

function listAt(state: EditorState, pos: number, names: Names): (CompletionResult & { options: Offered[] }) | null {
  if (!state.selection.main.empty) return null
  const found = complete(state.doc.toString(), pos, names)
  const [first] = found?.items ?? []
  if (!found || !first) return null
  if (found.items.length === 1 && first.insert === found.prefix) return null
  const isBegun = found.prefix !== '' && first.label !== found.prefix
  return { from: found.from, to: found.to, filter: false, options: found.items.map((item) => ({ ...optionOf(item), isBegun })) }
}

function optionOf({ label, detail, insert, caretBack }: Item) {
  return {
    label,
    detail,
    apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length - caretBack },
        userEvent: 'input.complete',
        scrollIntoView: true,
      }),
  }
}

/** Selects the first name, which Enter takes if the name before the cursor is unfinished. */
function chooseFirst(view: EditorView): void {
  const [first] = currentCompletions(view.state) as readonly (Completion & Partial<Offered>)[]
  if (!first?.isBegun || selectedCompletionIndex(view.state) !== null) return
  view.dispatch({ effects: setSelectedCompletion(0) })
}

/**
 * Waits for a list that was requested, which opens a moment later.
 * @returns whether there is one, whose first name was taken
 */
function takeComing(view: EditorView, names: Names): boolean {
  if (completionStatus(view.state) !== 'pending') return false
  const coming = listAt(view.state, view.state.selection.main.head, names)
  const [first] = coming?.options ?? []
  if (!coming || !first?.isBegun) return false
  closeCompletion(view)
  first.apply(view, first, coming.from, coming.to ?? coming.from)
  return true
}
