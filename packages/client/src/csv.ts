/** The parser of CSV, named once: the build puts it into this one file (`scripts/inlined-packages.js`). */
export { CsvError, parse as parseCsv } from 'csv-parse'
