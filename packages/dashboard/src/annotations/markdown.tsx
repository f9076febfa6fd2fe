/**
 * Renders a description's Markdown as elements. No text becomes HTML; links lead to http and https only; pictures become links, because
 * viewing an annotation must not send requests to other hosts.
 */

import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { type ComponentChildren, Fragment, h } from 'preact'
import { Code } from '../parts/code.tsx'

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{render(fromMarkdown(text))}</div>
}

/** The nodes that are elements of their own, and nothing else. */
const TAGS: Partial<Record<Nodes['type'], string>> = {
  paragraph: 'p',
  // The panel has headings above those of a text.
  heading: 'h3',
  emphasis: 'em',
  strong: 'strong',
  blockquote: 'blockquote',
  listItem: 'li',
  break: 'br',
  thematicBreak: 'hr',
}

function render(node: Nodes): ComponentChildren {
  const children = 'children' in node ? node.children.map((child, at) => <Fragment key={at}>{render(child)}</Fragment>) : null
  const tag = TAGS[node.type]
  if (tag !== undefined) return h(tag, null, children)
  switch (node.type) {
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{children}</ol> : <ul>{children}</ul>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return <Code>{node.value}</Code>
    case 'link':
      return <SafeLink url={node.url}>{children}</SafeLink>
    case 'image':
      return <SafeLink url={node.url}>{node.alt || node.url}</SafeLink>
    default:
      // HTML and other nodes are shown as the text that was written.
      return 'value' in node ? node.value : children
  }
}

/** A link to http or https; any other address is shown as text. */
export function SafeLink({ url, children: text }: { url: string; children: ComponentChildren }) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return <span>{text}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
