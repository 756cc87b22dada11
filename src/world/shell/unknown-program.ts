import { type ProgramJudge, reportIfExists } from "./scene.ts"

const mostWords = 500

/** Judges a program without a table: it may print and change every file that is named to it. */
export const judgeUnknownProgram: ProgramJudge = (scene, words, state) => {
  scene.reportUnknown()
  for (const word of words.slice(0, mostWords)) reportIfExists(scene, "change", word, state)
  if (words.length > mostWords) scene.findings.addUnclear("the command has too many words to check")
  return undefined
}
