export * from '../../dist/random.js'
