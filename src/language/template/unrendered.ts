/** The first of what looks like a template in a text that is sent as it stands. */
export const templateIn = (text: string): string | undefined =>
  /\{\{[^{}\n]*\}\}|\{%[^%\n]*%\}/.exec(text)?.[0]

/** Remora renders the first message only. */
export const unrendered = (template: string): string =>
  `\`${template}\` in \`system_prompt\` is sent to the model as it stands, because Remora renders no templates there.`
