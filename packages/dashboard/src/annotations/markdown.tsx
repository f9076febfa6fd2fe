/**
 * Renders a description's Markdown as elements. No text becomes HTML; links lead to http and https only; pictures become links, because
 * viewing an annotation must not send requests to other hosts.
 */

import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { ComponentChildren } from 'preact'
import { Code } from '../parts/code.tsx'

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{render(fromMarkdown(text))}</div>
}

const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

function children(node: Parents): ComponentChildren {
  return node.children.map((child, at) => <Rendered key={at} node={child} />)
}

function Rendered({ node }: { node: Nodes }) {
  return <>{render(node)}</>
}

function render(node: Nodes): ComponentChildren {
  switch (node.type) {
    case 'root':
      return children(node)
    case 'paragraph':
      return <p>{children(node)}</p>
    case 'heading': {
      const Heading = HEADINGS[node.depth - 1] ?? 'h6'
      return <Heading>{children(node)}</Heading>
    }
    case 'text':
      return node.value
    case 'emphasis':
      return <em>{children(node)}</em>
    case 'strong':
      return <strong>{children(node)}</strong>
    case 'delete':
      return <s>{children(node)}</s>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return <Code>{node.value}</Code>
    case 'blockquote':
      return <blockquote>{children(node)}</blockquote>
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{children(node)}</ol> : <ul>{children(node)}</ul>
    case 'listItem':
      return <li>{children(node)}</li>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'link':
      return <SafeLink url={node.url}>{children(node)}</SafeLink>
    case 'image':
      return <SafeLink url={node.url}>{node.alt || node.url}</SafeLink>
    case 'html':
      // Other nodes are shown as the text that was written.
      return node.value
    default:
      return 'children' in node ? children(node) : 'value' in node ? node.value : null
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
