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
  const ranked = all
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
  found.replaceChildren(
    heading(ranked.length),
    ...ranked.slice(0, FOUND_MAX).map(({ section }) => entry(section, words[0] ?? '')),
  )
}

/** @returns 0 for a section that lacks a word */
function rankOf({ title, heading: own, text }: Section, words: readonly string[]): number {
  const [head, whole] = [`${title} ${own}`.toLowerCase(), text.toLowerCase()]
  let rank = 0
  for (const word of words) {
    if (head.includes(word)) rank += 10
    else if (whole.includes(word)) rank += 1
    else return 0
  }
  return rank
}

function heading(count: number): HTMLElement {
  const element = document.createElement('h2')
  element.textContent = count === 0 ? 'Nothing has all of these words' : `${count} section${count === 1 ? '' : 's'}`
  return element
}

function entry({ page, title, id, heading: own, text }: Section, word: string): HTMLElement {
  const [block, link, words] = [document.createElement('p'), document.createElement('a'), document.createElement('span')]
  link.href = `/help/${page}#${id}`
  link.textContent = own === '' || own === title ? title : `${title}: ${own}`
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND)
  words.className = 'hint'
  words.textContent = `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * AROUND)}…`
  block.append(link, document.createElement('br'), words)
  return block
}
