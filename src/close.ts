/** What the post step loads if there is something to do; a bundle of its own. */
export { close } from './action/close.ts'
