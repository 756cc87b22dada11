/**
 * Whether a program can only take it for the name of one tool: names are told with commas between them, and some have words
 * that stand for many tools.
 */
export const isPlainName = (name: string): boolean =>
  /^[A-Za-z_][\w./-]*$/.test(name) && !/^(?:default|all|any|every|everything|none|no|true|false)$/i.test(name)

/** The same for a use of a tool, such as `Bash(git:*)`. */
export function isPlainUse(text: string): boolean {
  const [, name = "", argument = ""] = /^([^(]*)\(([^(),"'\\`\p{Cc}]+)\)$/u.exec(text) ?? []
  return isPlainName(name) && argument.trim() !== ""
}
