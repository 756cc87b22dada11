/** The first template syntax in a text that is sent without rendering. */
export const findTemplateSyntax = (text: string): string | undefined =>
  /\{\{[^{}\n]*\}\}|\{%[^%\n]*%\}/.exec(text)?.[0]

/** The message for a template in `system_prompt`. Remora renders only the first message. */
export const describeUnrendered = (template: string): string =>
  `\`${template}\` in \`system_prompt\` is sent to the model unchanged, because Remora renders no templates there.`
