import { judgeRemoval } from "../removal.ts"
import type { Argument } from "../resolve-word.ts"
import { type Program, placesOf, touch } from "../scene.ts"

/** `find`: reads below its starting points, and does with what it finds what its actions say. */
export const find: Program = (scene, words, state) => {
  let index = 0
  while (/^-[HLPD]$|^-O[0-9]?$/.test(words[index]?.value ?? "")) index += words[index]!.value === "-D" ? 2 : 1
  const starts: Argument[] = []
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (/^-.|^[(),!]/.test(text)) break
    starts.push(words[index]!)
  }
  if (starts.length === 0) starts.push({ written: ".", value: "." })
  const below = starts.flatMap((start) => placesOf(scene, start, state).map(({ path }) => path))
  for (const path of below) scene.found.path("read", path, "below")
  for (; index < words.length; index++) {
    const action = words[index]!.value ?? ""
    if (/^-(?:exec|execdir|ok|okdir)$/.test(action)) {
      const end = words.findIndex(
        ({ value }, place) =>
          place > index && (value === ";" || (value === "+" && words[place - 1]?.value === "{}")),
      )
      const command = words.slice(index + 1, end < 0 ? undefined : end)
      if (end < 0 || command[0]?.value?.includes("{}")) scene.found.unclear("what find runs is not plain")
      scene.run(
        command.map((word) =>
          word.value?.includes("{}")
            ? { written: word.written === "'{}'" ? "{}" : word.written, value: undefined, below, reason: "" }
            : word,
        ),
        state,
      )
      index = end < 0 ? words.length : end
    } else if (action === "-delete") {
      for (const path of below) {
        scene.found.path("write", path, "below")
        judgeRemoval(scene, path, "found")
      }
    } else if (/^-f(?:print0?|printf|ls)$/.test(action)) {
      const file = words[++index]
      if (file) touch(scene, "write", file, state)
    } else if (action === "-files0-from") scene.found.unclear("find takes its starting points from a file")
    else if (words[index]!.pattern?.startsWith("-")) scene.found.unclear("an option of find is not plain")
  }
  return undefined
}
