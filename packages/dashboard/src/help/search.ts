/**
 * The search of the help: sections that have all of the words, those with them in their heading first. The pages of the help work without
 * it. Deliberately not here: the pages, which `scripts/help.js` makes of the documents.
 */
import './help.css'

interface Section {
  page: string
  title: string
  id: string
  heading: string
  text: string
}

const FOUND_MAX = 20
/** The text around the first word that is found. */
const AROUND = 90

const input = document.querySelector<HTMLInputElement>('#help-search')
const found = document.querySelector<HTMLElement>('#help-found')
let sections: Promise<Section[]> | undefined

input?.addEventListener('input', () => {
  sections ??= fetch('/help/search.json').then((answer) => answer.json() as Promise<Section[]>)
  sections.then(show, () => {
    sections = undefined
  })
})

function show(all: readonly Section[]): void {
  if (!input || !found) return
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  found.hidden = words.length === 0
  const isIn = (text: string) => (word: string) => text.toLowerCase().includes(word)
  const headOf = ({ title, heading }: Section) => words.filter(isIn(`${title} ${heading}`)).length
  const matching = all
    .filter(({ title, heading, text }) => words.every(isIn(`${title} ${heading} ${text}`)))
    .sort((one, other) => headOf(other) - headOf(one))
  const { length } = matching
  const count = length === 0 ? 'Nothing has all of these words' : `${length} section${length === 1 ? '' : 's'}`
  const entries = matching.slice(0, FOUND_MAX).map((section) => entry(section, words[0] ?? ''))
  found.replaceChildren(make('h2', { textContent: count }), ...entries)
}

function entry({ page, title, id, heading, text }: Section, word: string): HTMLElement {
  const name = heading === '' || heading === title ? title : `${title}: ${heading}`
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND)
  const around = `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * AROUND)}…`
  const block = make('p', {})
  block.append(
    make('a', { href: `/help/${page}#${id}`, textContent: name }),
    make('br', {}),
    make('span', { className: 'hint', textContent: around }),
  )
  return block
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, members: Partial<HTMLElementTagNameMap[Tag]>): HTMLElement {
  return Object.assign(document.createElement(tag), members)
}
