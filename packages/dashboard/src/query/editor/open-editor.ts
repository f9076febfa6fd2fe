/**
 * The editor of queries, which is CodeMirror, as large as the page: it is loaded when somebody writes a query. It is in a
 * shadow tree with constructed style sheets, because the page's content policy allows no style elements.
 */
import { acceptCompletion, closeCompletion, startCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, type KeyBinding, keymap } from '@codemirror/view'
import type { Names } from '../completion.ts'
import { completions } from './completions.ts'
import { highlight } from './highlight.ts'
import { theme } from './theme.ts'

export interface EditorEvents {
  onText: (text: string) => void
  onCaret: (caret: number) => void
  /** Called for Ctrl+Enter or ⌘+Enter with the current text, of which a change may not have been reported yet. */
  onRun: (text: string) => void
  /**
   * Called for Escape if nothing else is open.
   * @returns whether it handled the key
   */
  onEscape: (text: string) => boolean
}

export type Editor = ReturnType<typeof openEditor>

/** @param events the latest handlers, while the editor is opened once */
export function openEditor(host: HTMLElement, text: string, names: Names, events: { current: EditorEvents }) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const described = new Compartment()
  let known = names
  /** Whether somebody is writing and did nothing else since. */
  let isWriting = false
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        completions(() => known),
        Prec.highest(keymap.of(keysOf(events))),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        highlight,
        bracketMatching(),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorState.languageData.of(() => [{ commentTokens: { line: '//' } }]),
        EditorView.lineWrapping,
        described.of([]),
        theme,
        EditorView.updateListener.of(({ docChanged, selectionSet, transactions, state }) => {
          if (docChanged) isWriting = transactions.some((one) => one.isUserEvent('input.type'))
          else if (selectionSet) isWriting = false
          if (docChanged) events.current.onText(state.doc.toString())
          if (docChanged || selectionSet) events.current.onCaret(state.selection.main.head)
        }),
      ],
    }),
  })
  // An Escape that closed the list must not close anything around the editor.
  view.dom.addEventListener('keydown', (event) => event.key === 'Escape' && event.defaultPrevented && event.stopPropagation())
  return {
    /** Replaces the text in a step that can be undone. */
    write: (insert: string) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, selection: { anchor: insert.length } }),
    goTo: (anchor: number) => {
      view.focus()
      view.dispatch({ selection: { anchor: Math.min(anchor, view.state.doc.length) }, scrollIntoView: true })
    },
    focus: () => view.focus(),
    /** Passes more names to the editor; a list that somebody waits for opens. */
    know: (now: Names) => {
      known = now
      if (isWriting && view.hasFocus) startCompletion(view)
    },
    describe: (attributes: Record<string, string>) =>
      view.dispatch({ effects: described.reconfigure(EditorView.contentAttributes.of(attributes)) }),
    close: () => view.destroy(),
  }
}

/** The keys of an open list come before these. */
function keysOf(events: { current: EditorEvents }): KeyBinding[] {
  const run = ({ state }: EditorView) => {
    events.current.onRun(state.doc.toString())
    return true
  }
  return [
    { key: 'Mod-Enter', run },
    { key: 'Ctrl-Enter', run },
    // Without a list Tab leaves the field, as everywhere on the page.
    { key: 'Tab', run: acceptCompletion },
    { key: 'Escape', run: (view) => closeCompletion(view) || events.current.onEscape(view.state.doc.toString()) },
  ]
}
