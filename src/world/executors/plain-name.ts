/**
 * True if a program can read the text only as the name of one tool. Names are joined with commas, and some programs
 * have words that mean many tools.
 */
export const isPlainToolName = (name: string): boolean =>
  /^[A-Za-z_][\w./-]*$/.test(name) && !/^(?:default|all|any|every|everything|none|no|true|false)$/i.test(name)

/** True if a program can read the text only as one use of one tool, such as `Bash(git:*)`. */
export function isPlainToolUse(text: string): boolean {
  const [, name = "", argument = ""] = /^([^(]*)\(([^(),"'\\`\p{Cc}]+)\)$/u.exec(text) ?? []
  return isPlainToolName(name) && argument.trim() !== ""
}
