/** See help.js. */
export function renderBlocks(markdown: string): string
