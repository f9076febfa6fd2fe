declare module '@vercel/ncc' {
  type Assets = Record<string, { source: string | Buffer }>
  export default function ncc(entry: string, options: object): Promise<{ code: string; assets: Assets }>
}
