/** Names that would act, mislead or widen a page where they are taken for more than text. */

export const WIDE_NAME = `<img src=x onerror=alert(1)> \u202Egnp.exe ${'long'.repeat(50)}`

export const MARKUP = '<img src=x onerror=alert(1)>\u202e"\' & <script>alert(2)</script>'
