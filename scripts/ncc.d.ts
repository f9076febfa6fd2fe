declare module '@vercel/ncc' {
  interface Options {
    cache: boolean
    externals: Record<string, string>
    license: string
    minify?: boolean
    quiet: boolean
  }
  export default function ncc(
    entry: string,
    options: Options,
  ): Promise<{ code: string; assets: Record<string, { source: string | Buffer }> }>
}
