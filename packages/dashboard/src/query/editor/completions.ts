/** Completion in the editor: the names of `complete`, shown by CodeMirror, opened while somebody writes. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  currentCompletions,
  selectedCompletionIndex,
  setSelectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { complete, type Names } from '../completion.ts'
import type { Item } from '../item.ts'

/** @param names those that are known now; more may come while the list is open */
export function completions(names: () => Names): Extension {
  return [
    autocompletion({
      override: [(context) => listAt(context, names())],
      // Nothing is chosen where no name was begun: Enter is a new line there.
      selectOnOpen: false,
      activateOnTypingDelay: 0,
      interactionDelay: 0,
      icons: false,
      maxRenderedOptions: 50,
      // Read aloud, a name and what it takes are two words.
      addToOptions: [{ position: 60, render: () => document.createTextNode(' ') }],
    }),
    EditorView.updateListener.of(({ view }) => chooseFirst(view, names())),
    EditorView.domEventHandlers({
      click: (_event, view) => {
        if (view.state.doc.length === 0) startCompletion(view)
      },
    }),
  ]
}

function listAt({ state, pos }: CompletionContext, names: Names): CompletionResult | null {
  if (!state.selection.main.empty) return null
  const found = complete(state.doc.toString(), pos, names)
  const [first] = found?.items ?? []
  if (!found || !first) return null
  if (first.label === found.prefix && found.total === 1 && first.kind !== 'function') return null
  return { from: found.from, to: found.to, filter: false, options: found.items.map(optionOf) }
}

function optionOf({ label, detail, insert, caretBack }: Item): Completion {
  return {
    label,
    detail,
    apply: (view, _completion, from, to) =>
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length - caretBack },
        userEvent: 'input.complete',
        scrollIntoView: true,
      }),
  }
}

/** The first is what Enter takes where a name was begun that is not whole. */
function chooseFirst(view: EditorView, names: Names): void {
  const { state } = view
  if (currentCompletions(state).length === 0 || selectedCompletionIndex(state) !== null) return
  const found = complete(state.doc.toString(), state.selection.main.head, names)
  if (!found || found.prefix === '' || found.items[0]?.label === found.prefix) return
  view.dispatch({ effects: setSelectedCompletion(0) })
}
