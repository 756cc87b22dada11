import { type Call, type Judged, otherVersion, outside } from "../known-program.ts"
import type { Argument } from "../resolve-word.ts"
import type { Program } from "../scene.ts"
import type { Option } from "../table.ts"

/** `zip`: letters in bundles, some of which are names of two letters. Only what is in daily use is known of it. */
export const zip =
  (judge: Judged): Program =>
  (scene, words, state) => {
    const operands: Argument[] = []
    const options: Call["options"][number][] = []
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
      if (!names) return outside(scene, words, state, `zip: what ${text} is, is not known`)
      options.push(...names.map((name) => ({ option: flag(name), name, after: operands.length })))
    }
    if (!scene.machine.has("zip", "zip 3.0")) otherVersion(scene, words, state)
    judge({ scene, state, options, operands })
    return undefined
  }

const flag = (name: string): Option => ({ names: [name], takes: "none", use: "text" })

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
