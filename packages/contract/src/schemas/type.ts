/**
 * TypeBox, named once. The build puts it into this one file (`scripts/inlined-packages.js`): from its own seven hundred, loading it takes longer
 * than loading everything else that the service needs to start.
 */
export { default } from 'typebox'
