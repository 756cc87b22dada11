import { type CallJudge, type ProgramCall, reportOtherVersion, reportOutsideTable } from "../known-program.ts"
import type { ShellArgument } from "../resolve-word.ts"
import type { ProgramJudge } from "../scene.ts"
import type { ProgramOption } from "../table.ts"

/**
 * Judges `zip`. Its letters can be joined, but some options have two letters: a word with such a pair counts as unknown.
 * Only options in daily use are known.
 */
export const zip =
  (judge: CallJudge): ProgramJudge =>
  (scene, words, state) => {
    const operands: ShellArgument[] = []
    const options: ProgramCall["options"][number][] = []
    for (let index = 0; index < words.length; index++) {
      const text = words[index]!.value ?? words[index]!.pattern ?? ""
      if (!/^-./.test(text)) {
        operands.push(words[index]!)
        continue
      }
      if (/^(?:-[xi]|--exclude|--include)$/.test(text)) {
        while (index + 1 < words.length && !/^(?:-.|@$)/.test(words[index + 1]!.value ?? "")) index++
        continue
      }
      const names = namesOf(text)
      if (!names) return reportOutsideTable(scene, words, state, `zip: unknown option ${text}`)
      options.push(...names.map((name) => ({ option: flag(name), name, after: operands.length })))
    }
    if (!scene.machine.has("zip", "zip 3.0")) reportOtherVersion(scene, words, state)
    judge({ scene, state, options, operands })
    return undefined
  }

const flag = (name: string): ProgramOption => ({ names: [name], takes: "none", use: "text" })

const twoLetters =
  /db|dc|dd|dg|ds|du|dv|DF|FF|FI|FS|fd|fz|h2|ll|lf|la|li|mm|MM|nw|RE|sp|sv|sb|sc|sd|sf|so|su|sU|tt|TT|UN|ws/

function namesOf(text: string): readonly string[] | undefined {
  if (
    /^--(?:recurse-paths|quiet|symlinks|junk-paths|move|update|freshen|verbose|no-dir-entries|delete)$/.test(
      text,
    )
  )
    return [text]
  if (!/^-[0-9rRqvjymuDXdfogekl]+$/.test(text) || twoLetters.test(text)) return undefined
  return [...text.slice(1)].map((letter) => `-${letter}`)
}
