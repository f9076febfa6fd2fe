/** What is used of nodemailer. */
declare module 'nodemailer' {
  interface Mail {
    from: string
    to: readonly string[]
    subject: string
    text: string
    messageId: string
    headers: Readonly<Record<string, string>>
    date: Date
    disableFileAccess: true
    disableUrlAccess: true
  }
  interface Options {
    host: string
    port: number
    secure: boolean
    requireTLS?: boolean
    auth?: { user: string; pass: string }
    connectionTimeout: number
    greetingTimeout: number
    socketTimeout: number
    dnsTimeout: number
  }
  interface Transport {
    sendMail(mail: Mail): Promise<{ rejected: readonly unknown[] }>
    close(): void
  }
  export function createTransport(options: Options): Transport
}
