import { createGenerator } from "../../src/faces/testing/random.ts"

/** A number from 0 to 1 for a text: the same one in every process. */
export function fraction(seed: number, text: string): number {
  let hash = seed
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return createGenerator(hash)()
}
