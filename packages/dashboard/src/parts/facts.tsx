/** Facts about one thing, each with its name. */
import { type ComponentChildren, Fragment } from 'preact'

/** A fact without a value is left out. */
type Fact = readonly [name: string, value: ComponentChildren, attributes?: { class?: string; title?: string | undefined }]

export function Facts({ of, class: name = '' }: { of: readonly Fact[]; class?: string }) {
  return (
    <dl class={`facts ${name}`}>
      {of
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([fact, value, attributes]) => (
          <Fragment key={fact}>
            <dt>{fact}</dt>
            <dd {...attributes}>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
