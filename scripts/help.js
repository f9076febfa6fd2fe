/**
 * Renders the documents of `docs/` as the help that the service carries: a static page for each in `packages/service/public/help/`, their
 * pictures, and what the search of the help reads. Part of the build of the dashboard.
 * Deliberately not here: the program that searches, which is `packages/dashboard/src/help/search.ts`.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { micromark } from 'micromark'

const DOCS = 'docs'
/** A page, with the places for its parts. */
const PAGE = readFileSync(new URL('help.html', import.meta.url), 'utf8')
/** What people do comes first, what they run next. */
const GROUPS = [
  ['The dashboard', 'dashboard releases monitors views-and-integrations'],
  ['Deployments', 'compare deployments recipes integrations'],
  ['Data', 'ingest query apl data tokens'],
  ['The service', 'service api deploy operate backup clickhouse scaling performance errors compatibility'],
  ['How it is made', 'architecture releasing'],
]

/**
 * @param target the folder for the pages
 * @param assets the addresses of the style sheets and of the script that searches
 */
export function buildHelp(target, { styles, script }) {
  mkdirSync(target, { recursive: true })
  const documents = readdirSync(DOCS, { recursive: true }).filter((name) => name.endsWith('.md'))
  const pages = documents.map((name) => readPage(join(DOCS, name)))
  const names = new Map(pages.map(({ path, name }) => [path, name]))
  const sections = []
  for (const page of pages) {
    const { html, parts } = render(page, names)
    sections.push(...parts)
    writeFileSync(join(target, `${page.name}.html`), writePage(page, html, { pages, styles, script }))
  }
  writeFileSync(join(target, 'search.json'), JSON.stringify(sections))
  cpSync(join(DOCS, 'images'), target, { recursive: true })
}

/** `docs/integrations/vector.md` is the page `integrations-vector`, and `docs/integrations/README.md` is `integrations`. */
function readPage(path) {
  const name = path
    .slice(DOCS.length + 1, -3)
    .replace(/\/README$/, '')
    .replaceAll('/', '-')
  const text = readFileSync(path, 'utf8').replace(/<!--.*?-->/gs, '')
  return { path, name, text, title: /^# (.*)$/m.exec(text)?.[1].replaceAll('`', '') ?? name }
}

/** @returns the page as HTML, and its sections as the search finds them */
function render({ path, name, title, text }, names) {
  const ids = new Map()
  const parts = []
  const html = renderBlocks(text)
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level, inner) => `<h${level} id="${idOf(inner, ids)}">${inner}</h${level}>`)
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href, inner) => renderLink(href, inner, path, names))
    .replace(/<img src="images\/([^"]*)"/g, '<img loading="lazy" src="/help/$1"')
    .replaceAll('<pre>', '<pre tabindex="0">')
  for (const part of html.split(/(?=<h[1-6] id=)/)) {
    const [, id = '', heading = ''] = /<h[1-6] id="([^"]*)">(.*?)<\/h/s.exec(part) ?? []
    parts.push({ page: name, title, id, heading: plain(heading), text: plain(part.slice(part.indexOf('</h') + 5)) })
  }
  return { html, parts }
}

/** Tables are not part of CommonMark, and all of those in the documents are a block of lines that start with `|`. */
export function renderBlocks(text) {
  const blocks = text.split(/((?:^\|.*\n?)+)/m)
  // A block of code may have such lines, too: it is open while the text before has an odd number of fences.
  let fences = 0
  let [html, pending] = ['', '']
  for (const block of blocks) {
    if (block.startsWith('|') && fences % 2 === 0) {
      html += micromark(pending) + renderTable(block)
      pending = ''
    } else {
      pending += block
      fences += block.match(/^\s*```/gm)?.length ?? 0
    }
  }
  return html + micromark(pending)
}

function renderTable(block) {
  const [head, , ...rows] = block.trimEnd().split('\n').map(splitCells)
  const write = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${renderInline(cell)}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => write(cells, 'td')).join('\n')
  return `<div class="table" tabindex="0"><table><thead>${write(head, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`
}

function splitCells(line) {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function renderInline(text) {
  return micromark(text).replace(/^<p>|<\/p>$/g, '')
}

/** The ids are those that the pages of code hosts give to headings. */
function idOf(inner, ids) {
  const id = plain(inner)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const before = ids.get(id) ?? 0
  ids.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}

/** A link to what the service does not carry, such as a source file, is its text. */
function renderLink(href, inner, path, names) {
  if (/^https?:/.test(href)) return `<a href="${href}" rel="noreferrer">${inner}</a>`
  const [file, id] = href.split('#')
  const name = file === '' ? names.get(path) : names.get(normalize(join(dirname(path), file)))
  if (name === undefined) return inner
  return `<a href="/help/${name}${id === undefined ? '' : `#${id}`}">${inner}</a>`
}

function plain(html) {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim()
}

function writePage({ name, title }, html, { pages, styles, script }) {
  const link = (page) =>
    `<li><a href="/help/${page.name}"${page.name === name ? ' aria-current="page"' : ''}>${page.title}</a></li>`
  const pagesOf = (names) => names.split(' ').flatMap((one) => pages.find((page) => page.name === one) ?? [])
  const listed = GROUPS.map(([group, names]) => [group, pagesOf(names)])
  const known = new Set(listed.flatMap(([, list]) => list))
  const others = pages.filter((page) => !known.has(page)).sort((one, other) => (one.name < other.name ? -1 : 1))
  const nav = [...listed, ['More', others]]
    .map(([group, list]) => {
      const isOpen = list.some((page) => page.name === name) || (group === 'The dashboard' && name === 'dashboard')
      return `<details${isOpen ? ' open' : ''}><summary>${group}</summary><ul>${list.map(link).join('')}</ul></details>`
    })
    .join('\n')
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n    ')
  const values = { title, styles: links, script, nav, html }
  return PAGE.replace(/\{\{(\w+)\}\}/g, (_, part) => values[part])
}
