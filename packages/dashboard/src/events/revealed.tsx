/** Shows a text of an event: its direction does not affect its surroundings, and its hidden characters are visible. */
import { showUnseen } from '../query/name.ts'

/** Tabs and line ends are no secret, and scripts and emoji need joiners. */
const UNSEEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

export function Revealed({ text, class: name }: { text: string; class?: string }) {
  return <bdi class={name}>{text.replaceAll(UNSEEN, showUnseen)}</bdi>
}
