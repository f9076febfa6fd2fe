export * from '../random.js'
