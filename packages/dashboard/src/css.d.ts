/** Styles are imported for the bundler, which makes one file of them; they export nothing. */
declare module '*.css' {}
