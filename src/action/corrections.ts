/** Corrects inputs that the rules refuse. A bundle of its own, because usual inputs do not need it. */
export { correct } from '@deployment-annotations/inputs/corrections'
