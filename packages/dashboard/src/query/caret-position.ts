/**
 * Where a character of a textarea is, in pixels within its border box. A textarea does not tell; the same text in an element of
 * the same width and type does.
 */
const COPIED = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'borderTopWidth',
  'borderRightWidth',
  'borderBottomWidth',
  'borderLeftWidth',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'tabSize',
] as const

/** @returns the left edge of the character, and the lower edge of its line */
export function measurePlace(textarea: HTMLTextAreaElement, offset: number): { left: number; bottom: number } {
  const mirror = document.createElement('div')
  const style = getComputedStyle(textarea)
  for (const name of COPIED) mirror.style[name] = style[name]
  // A scroll bar takes its width from the lines.
  const scrollbarPx = textarea.offsetWidth - textarea.clientWidth - parseFloat(style.borderLeftWidth) * 2
  mirror.style.paddingRight = `${parseFloat(style.paddingRight) + Math.max(0, scrollbarPx)}px`
  Object.assign(mirror.style, {
    position: 'absolute',
    visibility: 'hidden',
    borderStyle: 'solid',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  })
  const mark = document.createElement('span')
  mark.textContent = '\u200b'
  mirror.append(textarea.value.slice(0, offset), mark)
  document.body.append(mirror)
  const place = { left: mark.offsetLeft - textarea.scrollLeft, bottom: mark.offsetTop + mark.offsetHeight - textarea.scrollTop }
  mirror.remove()
  return place
}
