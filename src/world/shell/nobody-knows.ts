import { type Program, touchIfThere } from "./scene.ts"

const mostWords = 500

/** Whatever it is, it may print what it is given, and change it. */
export const nobodyKnows: Program = (scene, words, state) => {
  scene.unknown()
  for (const word of words.slice(0, mostWords)) touchIfThere(scene, "change", word, state)
  if (words.length > mostWords) scene.found.unclear("a command has too many words to look at")
  return undefined
}
